// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/table_catalog.hpp"

#include "replicant/actors/postgres/connect.hpp"
#include "replicant/core/protocol/catalog_query.hpp"

namespace replicant::postgres {

namespace {

std::string text_of(const rows& answer, std::size_t row, std::string_view column) {
  return std::string{answer.text(row, column).value_or(std::string_view{})};
}

} // namespace

result<std::vector<table_name>>
table_catalog::published(std::span<const std::string> publications) {
  const auto answer = session_.ask(published_tables_query(publications));
  if (!answer)
    return failure(answer.error());
  std::vector<table_name> tables;
  for (std::size_t row = 0; row < answer->count(); ++row)
    tables.push_back({text_of(*answer, row, "schema"), text_of(*answer, row, "name")});
  return tables;
}

result<std::vector<std::string>> table_catalog::primary_key(std::uint32_t table) {
  const auto answer = session_.ask(primary_key_query(table));
  if (!answer)
    return failure(answer.error());
  std::vector<std::string> columns;
  for (std::size_t row = 0; row < answer->count(); ++row)
    columns.push_back(text_of(*answer, row, "name"));
  return columns;
}

} // namespace replicant::postgres
