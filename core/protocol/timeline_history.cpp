// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/timeline_history.hpp"

#include "replicant/core/model/number_text.hpp"

#include <algorithm>

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
    const auto timeline = parse_number<std::uint32_t>(first);
    const auto end = parse_lsn(take_word(line));
    if (!timeline || *timeline == 0 || !end ||
        (!history.empty() && history.back().timeline >= *timeline))
      return std::nullopt;
    history.push_back({*timeline, *end});
  }
  return history;
}

} // namespace replicant
