// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/settings.hpp"

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

} // namespace replicant::cli
