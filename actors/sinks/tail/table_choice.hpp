// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace replicant {

/// Which tables somebody wants to see: "schema.table", or "table" in any schema, spelled exactly as
/// the catalog does. None: all.
class table_choice {
public:
  explicit table_choice(std::vector<std::string> names) : names_{std::move(names)} {}

  [[nodiscard]] bool holds(std::string_view schema, std::string_view table) const {
    return names_.empty() || std::ranges::any_of(names_, [&](const std::string& name) {
             return names_table(name, schema, table);
           });
  }

  /// Whether `name` means this table. A dot may be part of a name: no text is taken apart.
  [[nodiscard]] static bool names_table(std::string_view name, std::string_view schema,
                                        std::string_view table) {
    return name == table ||
           (name.size() == schema.size() + 1 + table.size() && name.starts_with(schema) &&
            name[schema.size()] == '.' && name.ends_with(table));
  }

private:
  std::vector<std::string> names_;
};

} // namespace replicant
