// SPDX-License-Identifier: MIT
#pragma once

namespace replicant::cli {

/// How a command ends. Scripts depend on these numbers.
enum class exit_code : int {
  fine = 0,        ///< run: stopped as asked. check: right. status: running, nothing halted.
  halted = 1,      ///< A pipeline has halted.
  wrong_input = 2, ///< The configuration or the command line is wrong.
  unavailable = 3, ///< run: could not be started. status: nothing is running.
  interrupted =
    143, ///< run: left without finishing, at a second signal or after 10 s; 128 + SIGTERM.
};

} // namespace replicant::cli
