// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/type_shape.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <memory>
#include <string>

namespace replicant::test {

/// Values of a type, described to a server.
struct value_set {
  std::string type;   ///< As in a cast.
  std::string random; ///< SQL of one value, which may use `g`, the number of the row.
  std::string picked; ///< String constants that are cast to the type, separated by commas.
};

/// A server, and a session with the pinned settings, that says what the text of a value is.
class value_server {
public:
  value_server();

  void exec(const std::string& sql) { session_.exec(sql); }

  [[nodiscard]] int major() const { return cluster_.major(); }

  /// Checks of a few thousand values (REPLICANT_VALUES) and of the picked ones that our text of the
  /// binary form is the server's, and that our getters read both forms as the server understands
  /// them. `shape`: of a type that is not built in.
  void check(const value_set& values, const type_shape* shape = nullptr);

  /// Checks the getters alone: for a session whose text is not the one that we print.
  void check_getters(const value_set& values);

private:
  [[nodiscard]] std::shared_ptr<const type_shape> built_in(const std::string& type);

  pg_cluster cluster_;
  sql_client session_;
};

} // namespace replicant::test
