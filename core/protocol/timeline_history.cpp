// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/timeline_history.hpp"

#include <algorithm>
#include <charconv>

namespace replicant {

namespace {

constexpr std::string_view blanks = " \t\r";

/// Takes the text up to the next blank away from `line`, and the blanks around it.
std::string_view take_word(std::string_view& line) {
  const auto begin = line.find_first_not_of(blanks);
  line.remove_prefix(begin == std::string_view::npos ? line.size() : begin);
  const auto word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

std::optional<std::uint32_t> parse_timeline(std::string_view text) {
  std::uint32_t timeline = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), timeline);
  if (error != std::errc{} || stop != text.data() + text.size() || timeline == 0)
    return std::nullopt;
  return timeline;
}

} // namespace

std::optional<std::vector<timeline_end>> parse_timeline_history(std::string_view content) {
  std::vector<timeline_end> history;
  while (!content.empty()) {
    auto line = content.substr(0, content.find('\n'));
    content.remove_prefix(std::min(line.size() + 1, content.size()));
    const auto first = take_word(line);
    // A person may have put a remark in; the reason at the end of a line is one too.
    if (first.empty() || first.starts_with('#'))
      continue;
    const auto timeline = parse_timeline(first);
    const auto end = parse_lsn(take_word(line));
    if (!timeline || !end || (!history.empty() && history.back().timeline >= *timeline))
      return std::nullopt;
    history.push_back({*timeline, *end});
  }
  return history;
}

} // namespace replicant
