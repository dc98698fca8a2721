// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/progress.hpp"

#include <cstddef>
#include <string>

namespace replicant::cli {

/// How lines of progress look.
struct progress_style {
  std::size_t width = 80;     ///< Columns that a line may fill.
  std::size_t name_width = 0; ///< Columns of the names, so that what follows is in line.
  bool coloured = false;      ///< The state in a colour, by escape sequences.
};

/// One line that shows how a pipeline is, cut to the width. `moved` counts while it streams.
[[nodiscard]] std::string progress_line(const pipeline_status& of, const progress& moved,
                                        const progress_style& style);

} // namespace replicant::cli
