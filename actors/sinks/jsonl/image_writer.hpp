// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/json_value.hpp"
#include "replicant/actors/sinks/jsonl/relation_layout.hpp"
#include "replicant/core/model/change.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace replicant {

enum class image_outcome : std::uint8_t {
  written,
  misfit,     ///< A row does not fit its table.
  unreadable, ///< A binary value has no form that is known here, or is malformed.
};

/// Writes what a change line says of rows: the new row, the old one, what is not known of the new
/// one, which documents could not be embedded, and which are the document `null`.
class image_writer {
public:
  explicit image_writer(value_form numeric) : values_{numeric} {}

  /// Appends the members of the line. Hot: no allocation but the buffer's own growth.
  /// What was appended is of no use unless it is `written`.
  [[nodiscard]] image_outcome append(std::string& out, const relation_layout& layout,
                                     const change& one);

  /// Gives back the memory that a huge value has taken.
  void shrink() { values_.shrink(); }

private:
  enum class row_part : std::uint8_t;

  using columns = std::vector<std::size_t>; ///< Empty in nearly every line.

  [[nodiscard]] image_outcome append_images(std::string& out, const relation_layout& layout,
                                            const change& one);
  [[nodiscard]] image_outcome append_row(std::string& out, const relation_layout& layout, tuple row,
                                         row_part part, columns& null_documents);
  [[nodiscard]] image_outcome append_value(std::string& out, const relation_layout& layout,
                                           std::size_t at, const cell& value);

  value_writer values_;
  bool some_unchanged_ = false; ///< In this line, in either image.
  /// By column, in this line: its documents are written as text. Empty while there is none.
  std::vector<bool> as_text_;
  columns new_nulls_; ///< Columns that hold the document `null`, which is no NULL.
  columns old_nulls_;
};

} // namespace replicant
