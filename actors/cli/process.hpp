// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace replicant::cli {

/// Makes the process fit to hold row values: a broken pipe and a file that may not grow are errors
/// instead of signals, no core dump or debugger of another process can show its memory, and what is
/// opened later never gets the number of a standard stream that was closed. To be called first.
void harden_process();

/// Whether standard output can be written to at all; tells on standard error when it was closed.
[[nodiscard]] bool has_standard_output();

/// Overwrites `secret` wherever it is one of the program's arguments: from then on the list of
/// processes, which every user may see, does not show it. Of no use against who looked before.
void conceal_argument(int argc, char** argv, std::string_view secret);

} // namespace replicant::cli
