// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/log_observer.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace replicant::cli {

/// How a pipeline moved from one status to a later one. `clock` is the time of the later one. The
/// answer refers to the name in `now`.
[[nodiscard]] progress progress_between(const pipeline_status& before, const pipeline_status& now,
                                        std::chrono::duration<double> elapsed, timestamp clock);

/// How lines of progress look.
struct progress_style {
  std::size_t width = 80;     ///< Columns that a line may fill.
  std::size_t name_width = 0; ///< Columns of the names, so that what follows is in line.
  bool coloured = false;      ///< The state in a colour, by escape sequences.
};

/// One line that shows how a pipeline is, cut to the width. `moved` counts while it streams.
[[nodiscard]] std::string progress_line(const pipeline_status& of, const progress& moved,
                                        const progress_style& style);

/// The columns that a line of ours fills: its characters without the escape sequences.
[[nodiscard]] std::size_t visible_width(std::string_view line);

/// "3 pipelines: 2 streaming, 1 halted".
[[nodiscard]] std::string status_summary(const std::vector<pipeline_status>& all);

} // namespace replicant::cli
