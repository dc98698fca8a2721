// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_quoting.hpp"

#include <algorithm>

namespace replicant {

bool quoting::concerns(std::string_view text) const {
  return text.empty() || std::ranges::any_of(text, [this](char c) {
           const auto code = static_cast<unsigned char>(c);
           return (special_.at(code / 64) >> code % 64 & 1U) != 0;
         });
}

void quoting::enclose(std::string& out, std::size_t start) const {
  const auto is_escaped = [](char c) { return c == '"' || c == '\\'; };
  auto from = out.size();
  const auto escaped =
    std::count_if(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), is_escaped);
  out.resize(from + static_cast<std::size_t>(escaped) + 2);
  // From the end, so that the text can be moved where it stands.
  auto to = out.size();
  out[--to] = '"';
  while (from-- > start) {
    const auto c = out[from];
    out[--to] = c;
    if (is_escaped(c))
      out[--to] = doubles_ ? c : '\\';
  }
  out[start] = '"';
}

} // namespace replicant
