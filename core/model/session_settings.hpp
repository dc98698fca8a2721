// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace replicant {

/// A session setting that every connection to the source pins and reads back.
struct pinned_setting {
  std::string_view name;
  std::string_view value; ///< As sent in the `options` of the start-up packet: no spaces.
  std::string_view shown; ///< As current_setting() answers.
  /// First server_version_num that knows it; 0: all. Otherwise it is set only after connecting,
  /// when the version is known.
  std::uint32_t since_version = 0;
};

/// Settings that change the text of values (the walsender renders rows in its own session), and
/// time-outs that would end a session which waits on purpose. search_path and quote_all_identifiers
/// shape reg* values; standard_conforming_strings gives our own string constants their meaning.
/// client_min_messages lets warnings through: from 18 on a warning is all that tells of rows which
/// the server passes over for want of a publication.
inline constexpr std::array pinned_settings{
  pinned_setting{"client_encoding", "UTF8", "UTF8"},
  pinned_setting{"DateStyle", "ISO,YMD", "ISO, YMD"},
  pinned_setting{"IntervalStyle", "postgres", "postgres"},
  pinned_setting{"TimeZone", "UTC", "UTC"},
  pinned_setting{"extra_float_digits", "3", "3"},
  pinned_setting{"bytea_output", "hex", "hex"},
  pinned_setting{"lc_monetary", "C", "C"},
  pinned_setting{"search_path", "pg_catalog", "pg_catalog"},
  pinned_setting{"quote_all_identifiers", "off", "off"},
  pinned_setting{"xmlbinary", "base64", "base64"},
  pinned_setting{"standard_conforming_strings", "on", "on"},
  pinned_setting{"statement_timeout", "0", "0"},
  pinned_setting{"lock_timeout", "0", "0"},
  pinned_setting{"idle_in_transaction_session_timeout", "0", "0"},
  pinned_setting{"client_min_messages", "warning", "warning"},
  pinned_setting{"idle_session_timeout", "0", "0", 140000},
  pinned_setting{"transaction_timeout", "0", "0", 170000},
};

[[nodiscard]] constexpr std::string_view pinned_setting_name(std::uint64_t index) {
  return index < pinned_settings.size() ? pinned_settings.at(index).name
                                        : std::string_view{"unknown"};
}

} // namespace replicant
