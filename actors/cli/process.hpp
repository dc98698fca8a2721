// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace replicant::cli {

/// Makes the process fit to hold row values: a broken pipe and a file that may not grow are errors
/// instead of signals, and no core dump or debugger of another process can show its memory. To be
/// called first.
void harden_process();

/// Overwrites `secret` wherever it is one of the program's arguments: from then on the list of
/// processes, which every user may see, does not show it. Of no use against who looked before.
void conceal_argument(int argc, char** argv, std::string_view secret);

} // namespace replicant::cli
