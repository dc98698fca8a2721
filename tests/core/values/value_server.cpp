// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_server.hpp"

#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/values/binary_text.hpp"
#include "replicant/tests/core/values/value_answers.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

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

std::string unhex(std::string_view text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 2)
    bytes += static_cast<char>(std::stoi(std::string{text.substr(at, 2)}, nullptr, 16));
  return bytes;
}

/// Rows of a value's text, its binary form and what the server answers.
std::string query_of(const value_set& values, const value_answer& answer) {
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
  return "SELECT v, encode(substr(record_send(ROW(v)), 13), 'hex'), " + answer.sql_of("v") +
         " FROM (" + sources + " OFFSET 0) AS s";
}

struct value_row {
  std::string text;
  std::string binary;
  std::string answer;
};

std::vector<value_row> rows_of(sql_client& session, const value_set& values,
                               const value_answer& answer) {
  std::vector<value_row> found;
  for (const auto& row : session.exec(query_of(values, answer)))
    found.push_back({row.at(0).value(), unhex(row.at(1).value()), row.at(2).value()});
  REQUIRE_FALSE(found.empty());
  return found;
}

void check_text(const value_row& row, const type_shape& shape) {
  std::string text = "kept, ";
  const auto known = append_binary_text(text, shape, row.binary);
  if (known && text == "kept, " + row.text)
    return;
  CAPTURE(known, text, row.text, row.binary);
  FAIL("the server prints it otherwise");
}

void check_value(const value_row& row, const type_shape& shape, const value_answer& answer) {
  const auto from_text = answer.tell(value{{cell_kind::text, row.text}, shape});
  const auto from_binary = answer.tell(value{{cell_kind::binary, row.binary}, shape});
  if (from_text == row.answer && from_binary == row.answer)
    return;
  CAPTURE(row.text, row.answer, from_text, from_binary);
  FAIL("the server understands it otherwise");
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

std::shared_ptr<const type_shape> value_server::built_in(const std::string& type) {
  const auto oid = session_.value("SELECT '" + type + "'::regtype::oid");
  return built_in_type(static_cast<std::uint32_t>(std::stoul(oid)));
}

void value_server::check(const value_set& values, const type_shape* shape) {
  const auto found = built_in(values.type);
  if (shape == nullptr)
    shape = found.get();
  INFO("type " << values.type);
  REQUIRE(shape != nullptr);
  const auto answer = answer_for(*shape);
  for (const auto& row : rows_of(session_, values, answer)) {
    check_text(row, *shape);
    check_value(row, *shape, answer);
  }
}

void value_server::check_getters(const value_set& values) {
  const auto shape = built_in(values.type);
  INFO("type " << values.type);
  REQUIRE(shape != nullptr);
  const auto answer = answer_for(*shape);
  for (const auto& row : rows_of(session_, values, answer))
    check_value(row, *shape, answer);
}

} // namespace replicant::test
