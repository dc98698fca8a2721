// SPDX-License-Identifier: MIT
#include "replicant/config/validate.hpp"

#include "replicant/config/conninfo.hpp"
#include "replicant/core/delivery/checkpoint_query.hpp"
#include "replicant/core/delivery/jsonl_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

namespace replicant {

namespace {

constexpr std::size_t max_name_bytes = 63;   // NAMEDATALEN - 1
constexpr std::size_t max_socket_path = 107; // sizeof(sockaddr_un::sun_path) - 1
constexpr std::size_t max_identifier_digits = 20;
constexpr std::uint64_t max_duration = 366ULL * 86'400'000; // ms, a year

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_slot_character(char c) {
  return is_lower(c) || is_digit(c) || c == '_';
}

bool is_name_character(char c) {
  return is_slot_character(c) || is_upper(c) || c == '-' || c == '.';
}

struct unit {
  std::string_view name;
  std::uint64_t worth;
};

/// A number and one of the units behind it, as a multiple of the smallest.
std::optional<std::uint64_t> parse_quantity(std::string_view text, std::span<const unit> units) {
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest == text.data())
    return std::nullopt;
  const std::string_view name{rest, static_cast<std::size_t>(end - rest)};
  const auto found = std::ranges::find(units, name, &unit::name);
  if (found == units.end() || number > std::numeric_limits<std::uint64_t>::max() / found->worth)
    return std::nullopt;
  return number * found->worth;
}

complaint check_whole(std::string_view path) {
  if (!path.starts_with('/'))
    return "does not begin with \"/\", so where it leads would depend on where the program is "
           "started, and \"~\" means nothing outside of a shell; write the whole path";
  return std::nullopt;
}

/// Where a pipeline writes, in one spelling; empty for nowhere.
struct target {
  std::string file; ///< Links followed.
  std::string name; ///< The last link not followed: what is kept beside the file is named by it.
};

target target_of(const pipeline_settings& pipeline) {
  const auto* sink = std::get_if<jsonl_settings>(&pipeline.sink);
  if (sink == nullptr || sink->path.empty() || sink->to_standard_output())
    return sink == nullptr ? target{} : target{.file = sink->path, .name = sink->path};
  const auto canonical = [](const std::filesystem::path& path) {
    std::error_code failed;
    auto found = std::filesystem::weakly_canonical(path, failed);
    return failed ? path : found;
  };
  const std::filesystem::path given{sink->path};
  return {.file = canonical(given), .name = canonical(given.parent_path()) / given.filename()};
}

bool collide(const target& one, const target& two) {
  return !one.file.empty() && !two.file.empty() &&
         (one.file == two.file || is_kept_beside(one.name, two.name) ||
          is_kept_beside(two.name, one.name));
}

bool share_row(const pipeline_settings& one, const pipeline_settings& two) {
  const auto& first = one.checkpoint_store;
  const auto& second = two.checkpoint_store;
  return first && second && !one.slot_name.empty() && one.slot_name == two.slot_name &&
         checkpoint_tables_of(first->table) == checkpoint_tables_of(second->table) &&
         !first->conninfo.empty() && server_of(first->conninfo) == server_of(second->conninfo);
}

} // namespace

complaint check_given(std::string_view text) {
  if (text.empty())
    return "is empty; leave the key out or give it a value";
  return std::nullopt;
}

complaint check_pipeline_name(std::string_view text) {
  if (text.empty() || text.size() > max_name_bytes || text.front() == '.' ||
      !std::ranges::all_of(text, is_name_character))
    return "is no name for a pipeline; files and log lines carry it, so it takes 1 to 63 of a-z, "
           "A-Z, 0-9, \"_\", \"-\" and \".\", and does not begin with \".\"; write for example "
           "\"shop\"";
  return std::nullopt;
}

complaint check_slot_name(std::string_view text) {
  if (text.empty() || text.size() > max_name_bytes || !std::ranges::all_of(text, is_slot_character))
    return "is no name for a slot; PostgreSQL allows 1 to 63 of a-z, 0-9 and \"_\"; write for "
           "example \"shop_orders\"";
  return std::nullopt;
}

complaint check_publication(std::string_view text) {
  if (text.empty() || text.size() > max_name_bytes)
    return "is no name for a publication; PostgreSQL's names have 1 to 63 bytes; write the name "
           "that \\dRp shows";
  return std::nullopt;
}

complaint check_store_table(std::string_view text) {
  constexpr std::size_t longest = max_name_bytes - std::string_view{"_state"}.size();
  const auto dot = text.find('.');
  const auto name = text.substr(dot == std::string_view::npos ? 0 : dot + 1);
  const auto schema = text.substr(0, dot == std::string_view::npos ? 0 : dot);
  if (name.empty() || name.size() > longest || name.find('.') != std::string_view::npos ||
      dot == 0 || schema.size() > max_name_bytes)
    return "is no name for a table; it takes a name of 1 to 57 bytes as it is, without quotes, and "
           "perhaps its schema and one \".\" before it; write for example "
           "\"replicant.checkpoints\"";
  return std::nullopt;
}

complaint check_log_level(std::string_view text) {
  constexpr std::array levels{"trace", "debug", "info", "warn", "error"};
  if (std::ranges::find(levels, text) == levels.end())
    return "is no log level; write \"trace\", \"debug\", \"info\", \"warn\" or \"error\"";
  return std::nullopt;
}

complaint check_system_identifier(std::string_view text) {
  if (text.empty() || text.size() > max_identifier_digits || !std::ranges::all_of(text, is_digit))
    return "is no system identifier; it is a number of 1 to 20 digits; write what \"select "
           "system_identifier from pg_control_system()\" shows, in quotes";
  return std::nullopt;
}

complaint check_folder_path(std::string_view text) {
  if (auto wrong = check_given(text))
    return wrong;
  return check_whole(text);
}

complaint check_socket_path(std::string_view text) {
  if (text.empty() || text.size() > max_socket_path)
    return "cannot be the path of a socket; the system allows 1 to 107 bytes; set "
           "runtime.control_socket to a short path, for example \"/run/replicant/control.sock\"";
  return check_whole(text);
}

complaint check_listen_address(std::string_view text) {
  if (!parse_listen_address(text))
    return "is no address to listen on; it takes a host, a colon and a port from 1 to 65535, and "
           "IPv6 in brackets; write for example \"127.0.0.1:9187\" or \"[::1]:9187\"";
  return std::nullopt;
}

complaint check_file_path(std::string_view text) {
  if (text.empty() || text.back() == '/')
    return "is not the path of a file; the sink has to write, sync and read back what it holds; "
           "write for example \"/var/lib/replicant/shop.jsonl\", or \"-\" for standard output";
  return text == "-" ? std::nullopt : check_whole(text);
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  constexpr std::array<unit, 4> units{
    {{"", 1}, {"KiB", 1ULL << 10U}, {"MiB", 1ULL << 20U}, {"GiB", 1ULL << 30U}}};
  return parse_quantity(text, units);
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  constexpr std::array<unit, 5> units{
    {{"ms", 1}, {"s", 1000}, {"min", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  const auto count = parse_quantity(text, units);
  if (!count || *count > max_duration)
    return std::nullopt;
  return std::chrono::milliseconds{static_cast<std::int64_t>(*count)};
}

std::vector<conflict> find_conflicts(const std::vector<pipeline_settings>& pipelines) {
  std::vector<conflict> found;
  for (std::size_t second = 1; second < pipelines.size(); ++second)
    for (std::size_t first = 0; first < second; ++first) {
      const auto& one = pipelines[first];
      const auto& two = pipelines[second];
      if (!one.name.empty() && one.name == two.name)
        found.push_back({conflict::kind::name, first, second});
      // Slots belong to the server, not to a database of it.
      if (!one.slot_name.empty() && one.slot_name == two.slot_name && !one.conninfo.empty() &&
          server_of(one.conninfo) == server_of(two.conninfo))
        found.push_back({conflict::kind::slot, first, second});
      if (collide(target_of(one), target_of(two)))
        found.push_back({conflict::kind::target, first, second});
      if (share_row(one, two))
        found.push_back({conflict::kind::store, first, second});
    }
  return found;
}

} // namespace replicant
