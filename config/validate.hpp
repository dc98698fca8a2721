// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/settings.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// What is wrong with a value, why, and what to write instead; nothing when it is fine. Never
/// repeats the value.
using complaint = std::optional<std::string>;

/// Anything but the empty string.
[[nodiscard]] complaint check_given(std::string_view text);

/// A pipeline's name: 1 to 63 of letters, digits, "_", "-" and ".", because files are named by it.
[[nodiscard]] complaint check_pipeline_name(std::string_view text);

/// PostgreSQL's rule for slots: 1 to 63 of a-z, 0-9 and "_".
[[nodiscard]] complaint check_slot_name(std::string_view text);

/// Any name that PostgreSQL can hold: 1 to 63 bytes.
[[nodiscard]] complaint check_publication(std::string_view text);

/// The table of a checkpoint store: a name of 1 to 57 bytes, because a second one has `_state`
/// behind it; or schema and name.
[[nodiscard]] complaint check_store_table(std::string_view text);

/// The names of log levels.
[[nodiscard]] complaint check_log_level(std::string_view text);

/// 1 to 20 digits, as pg_control_system() shows it.
[[nodiscard]] complaint check_system_identifier(std::string_view text);

/// A folder, by its whole path: what is relative would depend on where the program is started.
[[nodiscard]] complaint check_folder_path(std::string_view text);

/// A whole path that a unix socket's address can hold: 1 to 107 bytes.
[[nodiscard]] complaint check_socket_path(std::string_view text);

/// The whole path of a file, or "-" for standard output.
[[nodiscard]] complaint check_file_path(std::string_view text);

/// Reads a size: "512KiB", "32MiB", "1GiB" or a plain number of bytes. Nothing for any other text.
[[nodiscard]] std::optional<std::uint64_t> parse_size(std::string_view text);

/// Reads a time span with a unit of PostgreSQL's: "500ms", "30s", "15min", "1h", "7d". Nothing for
/// any other text.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

/// Two pipelines that cannot run beside each other, by their index in the configuration.
struct conflict {
  enum class kind : std::uint8_t {
    name,   ///< Both have the same name.
    slot,   ///< Both read the same slot of the same server.
    target, ///< Both write the same file, one writes a file that the other keeps beside its own, or
            ///< both write to standard output.
    store,  ///< Both keep a slot of the same name in the same table of a checkpoint store.
  };

  kind what;
  std::size_t first;
  std::size_t second;
};

/// The conflicts among pipelines; values that are empty are left out.
[[nodiscard]] std::vector<conflict> find_conflicts(const std::vector<pipeline_settings>& pipelines);

} // namespace replicant
