// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

struct pg_conn;

namespace replicant::test {

/// A blocking session for tests. Unlike the product, it throws with the server's text.
class sql_client {
public:
  using row = std::vector<std::optional<std::string>>;

  /// @throws std::runtime_error when it cannot connect.
  explicit sql_client(const std::string& conninfo);
  sql_client(sql_client&& other) noexcept;
  sql_client& operator=(sql_client&& other) noexcept;
  ~sql_client();

  /// Runs any number of statements. @returns the rows of the last.
  std::vector<row> exec(const std::string& sql);

  /// The first cell of the first row; empty when there is none or it is NULL.
  std::string value(const std::string& sql);

  /// As `value`, of a position: a number, 0 for none.
  std::uint64_t position(const std::string& sql);

  /// As `value(sql) == "t"`.
  bool holds(const std::string& sql) { return value(sql) == "t"; }

  /// Sends without waiting for the answer; the session can only be dropped afterwards.
  void start(const std::string& sql);

  /// Whether a server takes connections there now.
  [[nodiscard]] static bool answers(const std::string& conninfo);

  [[nodiscard]] int process_id() const;

private:
  pg_conn* connection_ = nullptr;
};

} // namespace replicant::test
