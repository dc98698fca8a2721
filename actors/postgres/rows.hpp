// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::postgres {

/// The answer to one query, as text. Columns are found by name, because servers of the PostgreSQL
/// family add columns of their own.
class rows {
public:
  using cell = std::optional<std::string>; ///< Nothing is NULL.

  rows() = default;

  /// `cells` row by row, as many per row as there are columns.
  rows(std::vector<std::string> columns, std::vector<cell> cells)
    : columns_{std::move(columns)}, cells_{std::move(cells)} {}

  [[nodiscard]] std::size_t count() const {
    return columns_.empty() ? 0 : cells_.size() / columns_.size();
  }

  /// The cell's text; nothing when it is NULL or when there is no such row or column.
  [[nodiscard]] std::optional<std::string_view> text(std::size_t row,
                                                     std::string_view column) const {
    const auto found = std::ranges::find(columns_, column);
    if (found == columns_.end() || row >= count())
      return std::nullopt;
    const auto index = static_cast<std::size_t>(found - columns_.begin());
    const auto& content = cells_[row * columns_.size() + index];
    return content ? std::optional<std::string_view>{*content} : std::nullopt;
  }

private:
  std::vector<std::string> columns_;
  std::vector<cell> cells_;
};

} // namespace replicant::postgres
