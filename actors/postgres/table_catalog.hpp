// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace replicant::postgres {

/// A table by its names in the catalog.
struct table_name {
  std::string schema;
  std::string name;
};

/// Asks a database about its tables, in an ordinary session that is opened by the first question
/// and again after one that failed. Needs no right but to connect.
///
/// Calls block for ten seconds and a connect at most, and end when the flag is raised. One thread
/// at a time.
class table_catalog {
public:
  /// `stop` has to outlive it.
  table_catalog(std::string conninfo, const interrupt_flag& stop)
    : conninfo_{std::move(conninfo)}, stop_{stop} {}

  /// Every table of these publications, as the stream names it. @fault by SQLSTATE.
  [[nodiscard]] result<std::vector<table_name>>
  published(std::span<const std::string> publications);

  /// The columns of a table's primary key; none when it has no such key. @fault by SQLSTATE.
  [[nodiscard]] result<std::vector<std::string>> primary_key(std::uint32_t table);

private:
  [[nodiscard]] result<rows> ask(const std::string& query);
  [[nodiscard]] result<void> connect();

  std::string conninfo_;
  const interrupt_flag& stop_;
  std::optional<connection> session_;
};

} // namespace replicant::postgres
