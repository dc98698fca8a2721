// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/archives.hpp"
#include "replicant/actors/sinks/jsonl/inspect.hpp"
#include "replicant/tests/sinks/failing_life.hpp"

#include <string>
#include <vector>

namespace replicant::test {

/// A file that is closed after every delivery, or when it has so many bytes.
inline jsonl_options rotated(const std::string& path, std::uint64_t bytes = 1) {
  return {.path = path, .rotation = {.bytes = bytes}};
}

/// The header of a file of `shop` that is not the first.
inline std::string continued_header(const std::string& start) {
  std::string header{shop_header.substr(0, shop_header.size() - 2)};
  return header + R"(,"start":")" + start + "\"}\n";
}

/// The closed files in the order of their names, then the live one.
inline std::vector<std::string> files_of(const std::string& path) {
  const auto live = readable_file::open(path);
  REQUIRE(live);
  const auto archives = find_archives(path, live->identity());
  REQUIRE(archives);
  std::vector<std::string> files;
  for (const auto& one : *archives)
    files.push_back(one.path);
  files.push_back(path);
  return files;
}

/// What a file holds behind its header, and how much of it belongs to the header.
struct file_parts {
  std::string state;
  std::string body;
};

inline file_parts parts_of(const std::string& file) {
  const auto bytes = read_file(file);
  const auto end = bytes.find('\n');
  REQUIRE(end != std::string::npos);
  const auto header = read_header(std::string_view{bytes}.substr(0, end));
  REQUIRE(header);
  REQUIRE(bytes.size() > end + header->state_bytes);
  return {bytes.substr(end + 1, header->state_bytes), bytes.substr(end + 1 + header->state_bytes)};
}

/// What a file holds behind its header and its state.
inline std::string body_of(const std::string& file) {
  return parts_of(file).body;
}

/// The lines of entries.
inline std::string lines_of(const std::vector<state_entry>& entries) {
  std::string lines;
  for (const auto& one : entries)
    append_state(lines, one);
  return lines;
}

/// What the set holds of `deliver_stream`, one file behind the other. Each has to begin where the
/// one before ends, with all that is remembered there.
inline std::string bodies_of(const std::string& path) {
  std::string all;
  watermark reached;
  for (const auto& file : files_of(path)) {
    const auto seen = inspect(file);
    REQUIRE(seen);
    REQUIRE(seen->torn == 0);
    REQUIRE(seen->start.value_or(watermark{}) == reached);
    const auto [state, body] = parts_of(file);
    REQUIRE((state == lines_of(state_at(reached))));
    reached = seen->durable.value_or(watermark{});
    all += body;
  }
  return all;
}

/// What a run that nothing disturbed writes behind its header.
inline std::string undisturbed_body(const temp_dir& folder) {
  const auto path = folder / "undisturbed.jsonl";
  const auto running = started(path);
  REQUIRE(deliver_stream(*running.sink, {}, [](watermark) {}));
  return body_of(path);
}

} // namespace replicant::test
