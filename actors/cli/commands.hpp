// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/exit_code.hpp"
#include "replicant/config/settings.hpp"

#include <optional>
#include <string>

namespace replicant::cli {

enum class output_format {
  text,
  json,
};

/// What a configuration is read for.
enum class purpose {
  connecting, ///< Everything has to be right.
  asking,     ///< Environment variables may be missing: they belong to who runs the program.
};

/// Reads a configuration file; tells everything that is wrong with it on standard error.
[[nodiscard]] std::optional<settings> read_configuration(const std::string& file, purpose use);

/// `replicant check`: says whether a configuration is right, without connecting to anything.
[[nodiscard]] exit_code check(const std::string& file);

/// `replicant status`: asks the program that runs this configuration; when none does, tells what is
/// kept of its halts.
[[nodiscard]] exit_code status(const std::string& file, output_format format);

/// `replicant run`: runs the pipelines of a configuration, or only the one named, until a signal
/// or until the last of them has halted.
[[nodiscard]] exit_code run(const std::string& file, const std::optional<std::string>& only);

} // namespace replicant::cli
