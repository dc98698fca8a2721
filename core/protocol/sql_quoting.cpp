// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/sql_quoting.hpp"

namespace replicant {

namespace {

std::string between(std::string_view text, char mark) {
  std::string quoted{mark};
  for (const auto c : text) {
    if (c == mark)
      quoted += mark;
    quoted += c;
  }
  quoted += mark;
  return quoted;
}

} // namespace

std::string quote_identifier(std::string_view name) {
  return between(name, '"');
}

std::string quote_literal(std::string_view text) {
  return between(text, '\'');
}

std::string quoted_list(std::span<const std::string> texts,
                        std::string (*quote)(std::string_view)) {
  std::string list;
  for (const auto& text : texts) {
    if (!list.empty())
      list += ',';
    list += quote(text);
  }
  return list;
}

} // namespace replicant
