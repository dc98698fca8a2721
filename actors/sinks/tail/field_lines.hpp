// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/text_style.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// A part of a field.
struct text_piece {
  tint with = tint::none;
  std::string text;
};

/// One entry: a line of fields with two spaces between them. On a terminal the fields flow over as
/// many lines as they need; all but the first are indented, so that each entry is seen to begin.
class field_lines {
public:
  /// Appends to `out`.
  field_lines(std::string& out, const text_style& style) : out_{out}, style_{style} {}

  /// Adds a field, on a line of its own when it does not fit behind the others.
  void add(const std::vector<text_piece>& field);

  void end() { out_.push_back('\n'); }

  /// The columns of a field that has a line for itself.
  [[nodiscard]] std::size_t room() const;

private:
  std::string& out_;
  const text_style& style_;
  std::size_t column_ = 0; ///< Counted on a terminal only.
  bool first_ = true;
};

} // namespace replicant
