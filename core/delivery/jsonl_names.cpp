// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/jsonl_names.hpp"

#include "replicant/core/values/digits.hpp"

#include <charconv>

namespace replicant {

namespace {

constexpr std::size_t position_digits = 16;

} // namespace

std::string next_path(const std::string& path) {
  return path + ".next";
}

std::string anew_path(const std::string& path) {
  return path + ".anew";
}

std::string hint_path(const std::string& path) {
  return path + ".synced";
}

std::string fresh_hint_path(const std::string& path) {
  return hint_path(path) + ".new";
}

std::string archive_path(const std::string& path, watermark start) {
  auto name = path + '.';
  append_hex(name, start.position().value(), position_digits, letter_case::upper);
  return name;
}

std::optional<watermark> archive_start(std::string_view suffix) {
  if (suffix.size() != 1 + position_digits || suffix.front() != '.')
    return std::nullopt;
  suffix.remove_prefix(1);
  if (suffix.find_first_not_of("0123456789ABCDEF") != std::string_view::npos)
    return std::nullopt;
  std::uint64_t position = 0;
  std::from_chars(suffix.data(), suffix.data() + suffix.size(), position, 16);
  return watermark::through(lsn{position});
}

bool is_kept_beside(const std::string& path, const std::string& other) {
  return other == next_path(path) || other == anew_path(path) || other == hint_path(path) ||
         other == fresh_hint_path(path) ||
         (other.starts_with(path) && archive_start(std::string_view{other}.substr(path.size())));
}

} // namespace replicant
