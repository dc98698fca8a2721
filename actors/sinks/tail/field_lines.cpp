// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/field_lines.hpp"

#include "replicant/actors/sinks/tail/printable.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

namespace {

constexpr auto gap = std::string_view{"  "};
constexpr auto indent = std::string_view{"    "};

/// On a narrower terminal lines are broken by the terminal itself.
constexpr std::size_t least_width = 40;

} // namespace

std::size_t field_lines::room() const {
  return style_.width == 0 ? any_width : std::max(style_.width, least_width) - indent.size();
}

void field_lines::add(const std::vector<text_piece>& field) {
  std::size_t columns = 0;
  if (style_.width > 0)
    for (const auto& piece : field)
      columns += columns_of(piece.text);
  if (!std::exchange(first_, false)) {
    const auto fits = style_.width == 0 || column_ + gap.size() + columns <= style_.width;
    out_.append(fits ? gap : std::string_view{"\n"});
    if (!fits)
      out_.append(indent);
    column_ = fits ? column_ + gap.size() : indent.size();
  }
  for (const auto& piece : field)
    append_tinted(out_, style_, piece.with, piece.text);
  column_ += columns;
}

} // namespace replicant
