// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/text_style.hpp"
#include "replicant/config/environment.hpp"

#include <cstddef>

namespace replicant::cli {

/// The characters that the user's locale takes, by the variables that name it. A locale need not be
/// installed here to be the one of the terminal.
[[nodiscard]] charset charset_of(const environment& lookup);

/// Whether the terminal can do nothing but show one line after the other.
[[nodiscard]] bool is_dumb(const environment& lookup);

/// Whether the user wants no colours, or has a terminal that knows none.
[[nodiscard]] bool declines_colours(const environment& lookup);

[[nodiscard]] bool is_terminal(int descriptor);

/// The columns and lines of a terminal as it is now; 0 when it is none or does not say.
[[nodiscard]] std::size_t terminal_width(int descriptor);
[[nodiscard]] std::size_t terminal_height(int descriptor);

} // namespace replicant::cli
