// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/value.hpp"

#include <functional>
#include <string>

namespace replicant::test {

/// What a value is in other words than its own text: once as a server says it, once as our getters
/// do. Both give the same text.
struct value_answer {
  std::string sql; ///< Of the server's; `@v` stands for the value.
  std::function<std::string(const value&)> tell;

  [[nodiscard]] std::string sql_of(const std::string& name) const;
};

/// The answer for values of a type. Where there is no getter it is PostgreSQL's text.
[[nodiscard]] value_answer answer_for(const type_shape& type);

} // namespace replicant::test
