// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/text_style.hpp"

namespace replicant {

namespace {

/// Of the eight colours that every terminal has, by the reader's own palette.
std::string_view sequence_of(tint with) {
  switch (with) {
    case tint::none: return {};
    case tint::strong: return "\x1b[1m";
    case tint::faint: return "\x1b[2m";
    case tint::added: return "\x1b[32m";
    case tint::changed:
    case tint::warning: return "\x1b[33m";
    case tint::removed: return "\x1b[31m";
    case tint::emptied: return "\x1b[35m";
  }
  return {};
}

} // namespace

void append_tinted(std::string& out, const text_style& style, tint with, std::string_view text) {
  const auto sequence = style.coloured ? sequence_of(with) : std::string_view{};
  out.append(sequence).append(text);
  if (!sequence.empty())
    out.append("\x1b[0m");
}

} // namespace replicant
