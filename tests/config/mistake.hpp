// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/config/planted_file.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

/// A wrong line, in which part of the file, and how the problem begins.
struct mistake {
  std::string file_parts::*part;
  std::string line;
  std::string begins;
};

inline constexpr auto runtime = &file_parts::runtime;
inline constexpr auto pipeline = &file_parts::pipeline;
inline constexpr auto connection = &file_parts::connection;
inline constexpr auto identity = &file_parts::identity;
inline constexpr auto store = &file_parts::store;
inline constexpr auto streaming = &file_parts::streaming;
inline constexpr auto sink = &file_parts::sink;

/// The file with `wrong.line` instead of the line of the same key, or as the part's last line; and
/// where that line stands.
inline std::pair<std::string, std::size_t> with(const mistake& wrong) {
  file_parts file;
  if (wrong.part == store) {
    file.store = "conninfo = \"host=db2\"\n";
    file.sink = "kind = \"null\"\n";
  }
  auto& part = file.*wrong.part;
  const auto key = wrong.line.substr(0, wrong.line.find(" = ") + 3);
  const auto old = part.starts_with(key) ? 0 : part.find("\n" + key);
  if (old == std::string::npos) {
    part += wrong.line + "\n";
  } else {
    const auto begin = old == 0 ? 0 : old + 1;
    part.replace(begin, part.find('\n', begin) - begin, wrong.line);
  }
  const auto whole = file.whole();
  const auto before = whole.substr(0, whole.find(wrong.line));
  return {whole, 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'))};
}

/// Where a mistake is told: at the key, or at the innermost value of its line.
enum class place {
  key,
  value,
};

/// Loads the file with each mistake in it: it is the only thing told, and at its place.
inline void check_each(const std::vector<mistake>& mistakes, place where) {
  for (const auto& wrong : mistakes) {
    INFO(wrong.line);
    const auto [text, line] = with(wrong);
    const auto told = refused(text);
    const auto column = where == place::key ? 1 : wrong.line.rfind(" = ") + 4;
    CHECK(told.starts_with("file:" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                           wrong.begins));
    CHECK(std::ranges::count(told, '\n') == 1);
  }
}

} // namespace replicant::test
