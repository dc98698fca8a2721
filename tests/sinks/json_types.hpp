// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace replicant::test {

/// Values of one type, for a table (id int, v <type>).
struct typed_values {
  std::string table;
  std::string type;
  /// What the lines must make of them, for compare_values.py: text, number, numeric, bool, json, or
  /// "array " and the rule of the elements.
  std::string rule;
  std::string random;             ///< An SQL expression over the integer n.
  std::vector<std::string> nasty; ///< In PostgreSQL's text.
  bool binary_known = true;       ///< Its binary form can be read.
  int since = 14;                 ///< First major version of the server that has them.
};

/// What the expressions and types below need.
[[nodiscard]] std::string json_types_setup();

/// One or more entries for every family of types.
[[nodiscard]] std::vector<typed_values> json_types();

} // namespace replicant::test
