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
  std::string text{"\n"};
  text.append(name).append(": ").append(to_string(what));
  if (const auto error = readable_system_error(what); !error.empty())
    text.append(" (").append(error).append(")");
  return text.append("\n  ").append(explain(what)).append("\n");
}

} // namespace replicant::cli
