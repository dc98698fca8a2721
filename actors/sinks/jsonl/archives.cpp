// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/archives.hpp"

#include "replicant/core/model/digits.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace replicant {

namespace {

constexpr std::size_t position_digits = 16;
constexpr auto hex_digits = std::string_view{"0123456789ABCDEF"};

/// What follows the live file's name in the name of an archive.
std::optional<watermark> read_suffix(std::string_view suffix) {
  if (suffix.size() != 1 + position_digits || suffix.front() != '.')
    return std::nullopt;
  suffix.remove_prefix(1);
  if (suffix.find_first_not_of(hex_digits) != std::string_view::npos)
    return std::nullopt;
  std::uint64_t position = 0;
  std::from_chars(suffix.data(), suffix.data() + suffix.size(), position, 16);
  return watermark::through(lsn{position});
}

} // namespace

std::string archive_path(const std::string& path, watermark start) {
  auto name = path + '.';
  append_hex(name, start.position().value(), position_digits, letter_case::upper);
  return name;
}

result<std::vector<archived_file>> find_archives(const readable_file& live) {
  std::vector<archived_file> found;
  const auto live_name = std::filesystem::path{live.path()}.filename().string();
  std::error_code error;
  std::filesystem::directory_iterator entry{live.folder(), error};
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error)) {
    const auto name = entry->path().filename().string();
    const auto start = name.starts_with(live_name)
                         ? read_suffix(std::string_view{name}.substr(live_name.size()))
                         : std::nullopt;
    if (!start)
      continue;
    auto path = archive_path(live.path(), *start);
    // One that is gone by now was moved away, as anybody may do at any time.
    if (const auto now = identity_at(path); now && *now != live.identity())
      found.push_back({std::move(path), *start});
  }
  if (error)
    return failure(file_fault(reason::sink_unreadable, error.value(), 0));
  std::ranges::sort(found, {}, &archived_file::start);
  return found;
}

} // namespace replicant
