// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/exit_code.hpp"
#include "replicant/config/settings.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <string>
#include <vector>

namespace replicant::cli {

/// What a configuration is read for.
enum class purpose {
  connecting, ///< Everything has to be right.
  asking,     ///< Environment variables may be missing: they belong to who runs the program.
};

/// Reads a configuration file; tells everything that is wrong with it on standard error.
[[nodiscard]] std::optional<settings> read_configuration(const std::string& file, purpose use);

/// Leaves only the pipeline that was asked for; tells on standard error when there is none of this
/// name, and returns false.
[[nodiscard]] bool narrow(settings& to, const std::optional<std::string>& only);

/// The names of the pipelines, in the order of the file.
[[nodiscard]] std::vector<std::string> names_of(const settings& loaded);

/// Whether a program runs this configuration, or may do so: then nothing of it may be changed
/// behind its back. Tells it on standard error.
[[nodiscard]] bool may_be_running(const settings& loaded);

/// What is the same for commands that change something: reads the configuration and leaves only the
/// pipeline that was asked for. With several and none asked for, with a mistake, and when a program
/// may be running, that is told on standard error.
/// @returns the one pipeline, or how the command ends.
[[nodiscard]] tl::expected<settings, exit_code>
read_for_change(const std::string& file, const std::optional<std::string>& pipeline);

} // namespace replicant::cli
