// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/sink_choice.hpp"
#include "replicant/actors/log_observer.hpp"
#include "replicant/actors/pipeline.hpp"

#include <caf/fwd.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace replicant::cli {

/// The pipelines of one `replicant run`. `system` has to outlive it.
class running_pipelines {
public:
  explicit running_pipelines(caf::actor_system& system) : system_{system} {}

  void start(const pipeline_settings& settings, const std::shared_ptr<observer>& watcher);

  /// Takes a pipeline in that stays halted: it is told like the others and never started.
  void leave_halted(const pipeline_status& halted);

  /// What every pipeline is doing, however long that takes to hear. Any thread may call, and
  /// nobody who calls anything else waits for it.
  [[nodiscard]] std::vector<pipeline_status> statuses() const;

  /// What the pipelines are doing that tell it within `patience`, which is for all at once; without
  /// the others. For who has to go on when the scheduler hangs. Any thread may call.
  [[nodiscard]] std::vector<pipeline_status>
  statuses_within(std::chrono::milliseconds patience) const;

  /// Whether every pipeline that lives answers within `patience`, which is for all at once. Any
  /// thread may call.
  [[nodiscard]] bool answer(std::chrono::milliseconds patience) const;

  /// Logs how each pipeline moved since the last call, unless it did not.
  void report_progress(log_observer& log, std::chrono::duration<double> elapsed);

  /// Stops all at once; blocks until they have stopped or `patience` is over.
  std::vector<pipeline_status> stop(std::chrono::milliseconds patience);

  /// What the sinks have to say at the end, one line each; empty for those that are silent.
  [[nodiscard]] std::string closing_words() const;

  /// The pipeline that standard output belongs to, if any: the configuration allows one.
  [[nodiscard]] std::optional<std::string> owner_of_standard_output() const;

private:
  struct running {
    std::string name;
    pipeline_actor actor; ///< None: it stays as `reported` says.
    sink_choice sink{};
    pipeline_status reported{};
  };

  /// A status for each in their order; nothing for one that did not answer in time. The lock is not
  /// held meanwhile: a pipeline that hangs must not make others wait for it.
  [[nodiscard]] std::vector<std::optional<pipeline_status>> ask(caf::duration patience) const;

  caf::actor_system& system_;
  mutable std::mutex mutex_;
  std::vector<running> pipelines_;
};

} // namespace replicant::cli
