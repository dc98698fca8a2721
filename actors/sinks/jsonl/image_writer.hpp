// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/json_value.hpp"
#include "replicant/actors/sinks/jsonl/relation_layout.hpp"
#include "replicant/core/model/change.hpp"

#include <string>
#include <vector>

namespace replicant {

/// Writes what a change line says of rows: the new row, the old one, what is not known of the new
/// one, and which documents could not be embedded.
class image_writer {
public:
  explicit image_writer(value_form numeric) : values_{numeric} {}

  /// Appends the members of the line. Hot: no allocation but the buffer's own growth.
  /// @returns false when a row does not fit the table or a binary value cannot be read.
  [[nodiscard]] bool append(std::string& out, const relation_layout& layout, const change& one);

  /// Gives back the memory that a huge value has taken.
  void shrink() { values_.shrink(); }

private:
  enum class row_part : std::uint8_t;

  [[nodiscard]] bool append_images(std::string& out, const relation_layout& layout,
                                   const change& one);
  [[nodiscard]] bool append_row(std::string& out, const relation_layout& layout, tuple row,
                                row_part part);
  [[nodiscard]] bool append_value(std::string& out, const relation_layout& layout, std::size_t at,
                                  const cell& value);

  value_writer values_;
  bool some_unchanged_ = false; ///< In this line, in either image.
  /// By column, in this line: its documents are written as text. Empty while there is none.
  std::vector<bool> as_text_;
};

} // namespace replicant
