// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/watermark.hpp"

#include <optional>
#include <string>
#include <string_view>

/// The names of what the sink of JSON lines keeps beside the file at its path.
namespace replicant {

/// The file that is to follow, until it takes the place of the live one.
[[nodiscard]] std::string next_path(const std::string& path);

/// The file that a person has asked to be begun anew, until it takes the place of the live one.
[[nodiscard]] std::string anew_path(const std::string& path);

/// What is known to be on disk.
[[nodiscard]] std::string hint_path(const std::string& path);

/// The hint until it is whole.
[[nodiscard]] std::string fresh_hint_path(const std::string& path);

/// The closed file that starts at `start`: `<path>.<16 upper-case hexadecimal digits>`. So names
/// sort in the order of the stream.
[[nodiscard]] std::string archive_path(const std::string& path, watermark start);

/// Where the closed file starts whose name is the live one's and `suffix`; nothing for any other
/// file.
[[nodiscard]] std::optional<watermark> archive_start(std::string_view suffix);

/// Whether a sink with the file at `path` may make or replace the file at `other`, its own apart.
[[nodiscard]] bool is_kept_beside(const std::string& path, const std::string& other);

} // namespace replicant
