// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/live_lines.hpp"
#include "replicant/config/environment.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

namespace replicant::cli {

/// Whether standard error is a terminal on which lines may move, and nothing else of this run
/// moves there.
[[nodiscard]] bool can_show_progress(const settings& what, const environment& lookup);

/// Shows on standard error, a terminal, how pipelines move: a line for each, drawn again a few
/// times a second when it changes. The lines go with the object.
class live_progress {
public:
  using question = std::function<std::vector<pipeline_status>()>;

  /// `statuses` is called on a thread of its own. `lines` has to outlive the object.
  live_progress(live_lines& lines, question statuses, const environment& lookup);
  ~live_progress();

  live_progress(const live_progress&) = delete;
  live_progress& operator=(const live_progress&) = delete;

private:
  using clock = std::chrono::steady_clock;

  /// What all pipelines told at one time.
  struct sample {
    clock::time_point at;
    std::vector<pipeline_status> told;
  };

  void run(const std::stop_token& leave, const question& statuses);
  [[nodiscard]] std::vector<std::string> draw() const;

  live_lines& lines_;
  bool coloured_;
  std::deque<sample> window_; ///< The last while, over which rates are taken; the newest last.
  std::jthread thread_;
};

} // namespace replicant::cli
