// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/text_table.hpp"

#include "replicant/actors/readable.hpp"

#include <algorithm>

namespace replicant::cli {

std::string aligned(const std::vector<text_row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& one : rows)
    for (std::size_t i = 0; i < one.size(); ++i)
      widths[i] = std::max(widths[i], one[i].size());
  std::string text;
  for (const auto& one : rows) {
    for (std::size_t i = 0; i < one.size(); ++i)
      text.append(one[i]).append(i + 1 == one.size() ? 0 : widths[i] - one[i].size() + 2, ' ');
    text += '\n';
  }
  return text;
}

std::string remark_on(std::string_view name, const fault& what) {
  return remark_on(name, readable_cause(to_string(what), readable_system_error(what)),
                   explain(what));
}

std::string remark_on(std::string_view name, std::string_view cause, std::string_view explanation) {
  std::string text{"\n"};
  text.append(name).append(": ").append(cause).append("\n  ");
  return text.append(explanation).append("\n");
}

} // namespace replicant::cli
