// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/diagnostic.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace replicant {

struct entry;
struct node;

using node_list = std::vector<node>;
using node_table = std::vector<entry>;

/// A floating-point number, a date or a time: no key takes one.
struct unused_value {};

/// A value of a configuration file and where it stands, free of the library that parsed it.
struct node {
  location at;
  std::variant<std::string, std::int64_t, bool, node_list, node_table, unused_value> content;
  /// The columns of each "${" of a string that stands on one line.
  std::vector<std::uint32_t> variables{};
};

/// A key with its value, in the order of the file or any other.
struct entry {
  std::string key;
  location at;
  node value;
};

/// The entry with this key, or nullptr.
[[nodiscard]] const entry* find(const node_table& table, std::string_view key);

/// What stands in a node, for people: "a string", "a table", ...
[[nodiscard]] std::string_view describe(const node& value);

} // namespace replicant
