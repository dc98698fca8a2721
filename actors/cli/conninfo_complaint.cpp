// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/conninfo_complaint.hpp"

#include "replicant/actors/postgres/conninfo.hpp"
#include "replicant/config/conninfo.hpp"
#include "replicant/config/nearest_name.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

constexpr std::string_view where_to_look =
  "; see \"Parameter Key Words\" in PostgreSQL's documentation";

std::string tell_unknown(const std::string& keyword, const std::vector<std::string>& known) {
  std::string text{"is refused by libpq: it holds a keyword that libpq does not know"};
  const auto nearest = nearest_name(keyword, {known.begin(), known.end()});
  if (!nearest)
    return text.append(where_to_look);
  return text.append("; write \"").append(*nearest).append("\" if that is meant");
}

std::string tell_value(const std::string& keyword) {
  std::string text{"is refused by libpq: "};
  if (keyword == "service")
    return text.append("service names one that no service file has, or whose lines it cannot take");
  return text.append(keyword).append(" has a value that libpq does not take").append(where_to_look);
}

} // namespace

complaint complain_of_conninfo(const std::string& conninfo) {
  if (postgres::conninfo::parse(conninfo))
    return std::nullopt;
  const auto known = postgres::conninfo::keywords();
  for (const auto& keyword : keywords_of(conninfo))
    if (std::ranges::find(known, keyword) == known.end())
      return tell_unknown(keyword, known);
  if (const auto refused = postgres::conninfo::refused_keyword(conninfo))
    return tell_value(*refused);
  return std::string{"is refused by libpq: it cannot be taken apart, or a variable of the "
                     "environment (PGSSLMODE, ...) has a value that libpq does not take"}
    .append(where_to_look);
}

} // namespace replicant::cli
