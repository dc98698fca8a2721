// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/settings.hpp"
#include "replicant/core/telemetry/observer.hpp"
#include "replicant/core/telemetry/progress.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace replicant {

/// What the program itself has to say.
enum class program_event : std::uint8_t {
  started,           ///< All pipelines are on their way.
  at_least_once,     ///< Standard output remembers nothing.
  stop_requested,    ///< The first signal.
  state_not_written, ///< A halt could not be kept in the state folder.
};

/// Takes a line, with its end, to where it is read.
using log_target = std::function<void(std::string_view)>;

/// Writes what happens, one line per event, as text for people or as one JSON object per line with
/// its fields in a fixed order.
///
/// Never blocks: when nobody takes the lines, the oldest are dropped. Any thread may call. The
/// destructor writes what is left.
class log_observer final : public observer {
public:
  /// `write` is called on one thread of the log's own; without it lines go to standard error.
  explicit log_observer(const runtime_settings& how, log_target write = {});
  ~log_observer() override;

  log_observer(const log_observer&) = delete;
  log_observer& operator=(const log_observer&) = delete;

  void on_event(const telemetry_event& what) override;

  /// How a pipeline has moved of late.
  void on_progress(const progress& what);

  /// `pipeline` may be empty.
  void on_program(program_event what, std::string_view pipeline);

private:
  class writer;
  std::unique_ptr<writer> writer_;
};

} // namespace replicant
