// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/catalog_session.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace replicant::postgres {

/// A table by its names in the catalog.
struct table_name {
  std::string schema;
  std::string name;
};

/// Asks a database about its tables. Calls end when the flag is raised. One thread at a time.
class table_catalog {
public:
  /// `stop` has to outlive it.
  table_catalog(std::string conninfo, const interrupt_flag& stop)
    : session_{std::move(conninfo), &stop} {}

  /// Every table of these publications, as the stream names it. @fault by SQLSTATE.
  [[nodiscard]] result<std::vector<table_name>>
  published(std::span<const std::string> publications);

  /// The columns of a table's primary key; none when it has no such key. @fault by SQLSTATE.
  [[nodiscard]] result<std::vector<std::string>> primary_key(std::uint32_t table);

private:
  catalog_session session_;
};

} // namespace replicant::postgres
