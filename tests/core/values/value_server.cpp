// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_server.hpp"

#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/values/binary_text.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <memory>
#include <string_view>

namespace replicant::test {

namespace {

std::string value_count() {
  const auto* const wanted = std::getenv("REPLICANT_VALUES");
  return wanted == nullptr ? "2000" : wanted;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// The bytes behind PostgreSQL's hexadecimal text of a bytea.
std::string unhex(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 2; at < text.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string{text.substr(at, 2)}, nullptr, 16));
  return bytes;
}

/// Rows of a value's text and its binary form.
std::string query_of(const value_set& values) {
  std::string sources;
  if (!values.random.empty())
    sources = "SELECT (" + values.random + ")::" + values.type + " AS v FROM generate_series(1, " +
              value_count() + ") AS g";
  if (!values.picked.empty())
    sources += (sources.empty() ? "" : " UNION ALL ") + ("SELECT p::" + values.type) +
               " AS v FROM unnest(ARRAY[" + values.picked + "]::text[]) AS p";
  // Any finite float8, of any size.
  sources =
    replaced(sources, "@float", "((random() - 0.5) * power(10::float8, random() * 80 - 40))");
  // The only member of a composite stands behind a count, an OID and a length.
  return "SELECT v, substr(record_send(ROW(v)), 13) FROM (" + sources + " OFFSET 0) AS s";
}

} // namespace

value_server::value_server() : session_{cluster_.client()} {
  for (const auto& setting : pinned_settings)
    if (setting.since_version <= static_cast<std::uint32_t>(cluster_.major()) * 10'000)
      session_.exec("SET " + std::string{setting.name} + " = " +
                    (setting.name == "DateStyle" ? std::string{setting.value}
                                                 : "'" + std::string{setting.value} + "'"));
  session_.exec("SELECT setseed(0.5)");
}

void value_server::check(const value_set& values, const type_shape* shape) {
  const auto oid = session_.value("SELECT '" + values.type + "'::regtype::oid");
  const auto built_in = built_in_type(static_cast<std::uint32_t>(std::stoul(oid)));
  if (shape == nullptr)
    shape = built_in.get();
  INFO("type " << values.type);
  REQUIRE(shape != nullptr);
  const auto rows = session_.exec(query_of(values));
  REQUIRE_FALSE(rows.empty());
  for (const auto& row : rows) {
    std::string text = "kept, ";
    const auto known = append_binary_text(text, *shape, unhex(row.at(1).value()));
    if (!known || text != "kept, " + row.at(0).value()) {
      CAPTURE(known, text, row.at(0).value(), row.at(1).value());
      FAIL("the server prints it otherwise");
    }
  }
}

} // namespace replicant::test
