// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/sync_hint.hpp"

#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/sinks/jsonl/field_reader.hpp"
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/core/values/digits.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string_view>
#include <utility>
#include <vector>

namespace replicant {

namespace {

/// As the file itself.
constexpr mode_t hint_mode = 0640;

constexpr auto device_key = std::string_view{R"({"format":1,"device":)"};
constexpr auto inode_key = std::string_view{R"(,"inode":)"};
constexpr auto last_unit_key = std::string_view{R"(,"last_unit":)"};
constexpr auto synced_key = std::string_view{R"(,"synced":)"};
constexpr auto state_key = std::string_view{R"(,"state":[)"};
constexpr auto hint_end = std::string_view{"}\n"};

/// Places of half a million entries at least. What is longer is none of ours.
constexpr std::size_t longest_hint = std::size_t{10} * 1024 * 1024;

std::string render(const file_identity& identity, const sync_hint& hint) {
  std::string line{device_key};
  append_decimal(line, identity.device);
  append_decimal(line.append(inode_key), identity.inode);
  append_decimal(line.append(last_unit_key), hint.last_unit);
  append_decimal(line.append(synced_key), hint.synced);
  auto before = state_key;
  for (const auto place : hint.state)
    append_decimal(line.append(std::exchange(before, ",")), place);
  return line.append(hint.state.empty() ? "" : "]").append(hint_end);
}

std::optional<std::uint64_t> read_field(field_reader& fields, std::string_view key) {
  return fields.skip(key) ? fields.number<std::uint64_t>() : std::nullopt;
}

std::optional<std::vector<std::uint64_t>> read_places(field_reader& fields) {
  std::vector<std::uint64_t> places;
  if (!fields.skip(state_key))
    return places;
  do {
    const auto place = fields.number<std::uint64_t>();
    if (!place)
      return std::nullopt;
    places.push_back(*place);
  } while (fields.skip(","));
  return fields.skip("]") ? std::optional{std::move(places)} : std::nullopt;
}

/// All that is there, or something that is no hint.
std::string read_all(const descriptor& handle) {
  std::string text;
  std::array<char, 4096> piece{};
  while (text.size() <= longest_hint) {
    const auto got = ::read(handle.number(), piece.data(), piece.size());
    if (got <= 0)
      break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

} // namespace

std::optional<sync_hint> read_sync_hint(const readable_file& file) {
  const auto handle = descriptor::open(hint_path(file.path()), O_RDONLY | O_NOFOLLOW);
  if (!handle)
    return std::nullopt;
  const auto text = read_all(handle);
  field_reader fields{text};
  const auto device = read_field(fields, device_key);
  const auto inode = read_field(fields, inode_key);
  const auto last_unit = read_field(fields, last_unit_key);
  const auto synced = read_field(fields, synced_key);
  auto places = read_places(fields);
  if (!device || !inode || !last_unit || !synced || !places || fields.rest() != hint_end)
    return std::nullopt;
  if (file_identity{*device, *inode} != file.identity() || *synced > file.length())
    return std::nullopt;
  return sync_hint{.last_unit = *last_unit, .synced = *synced, .state = std::move(*places)};
}

void write_sync_hint(const readable_file& file, const sync_hint& hint) {
  const auto path = hint_path(file.path());
  const auto fresh = fresh_hint_path(file.path());
  const auto line = render(file.identity(), hint);
  const auto handle = descriptor::open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, hint_mode);
  if (!handle)
    return;
  const auto put = ::write(handle.number(), line.data(), line.size());
  if (put != static_cast<ssize_t>(line.size()) || std::rename(fresh.c_str(), path.c_str()) != 0)
    ::unlink(fresh.c_str());
}

void remove_sync_hint(const std::string& path) {
  ::unlink(hint_path(path).c_str());
}

} // namespace replicant
