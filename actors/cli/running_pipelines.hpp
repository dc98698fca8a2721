// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/sink_choice.hpp"
#include "replicant/actors/log_observer.hpp"
#include "replicant/actors/pipeline.hpp"

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

  /// What every pipeline is doing. Any thread may call.
  [[nodiscard]] std::vector<pipeline_status> statuses() const;

  /// Whether every pipeline that lives answers within `patience`. Any thread may call.
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

  caf::actor_system& system_;
  mutable std::mutex mutex_;
  std::vector<running> pipelines_;
};

} // namespace replicant::cli
