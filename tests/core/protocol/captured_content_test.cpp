// SPDX-License-Identifier: MIT
#include "replicant/tests/core/protocol/captured_stream.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace replicant;

namespace {

std::vector<std::string> text_streams() {
  auto names = captured_streams();
  std::erase_if(names, [](const std::string& name) { return !name.ends_with("text"); });
  return names;
}

/// The shapes under which a table was announced, each once.
std::vector<relation> shapes_of(const std::string& fixture, const std::string& name) {
  std::vector<relation> shapes;
  for_each_message(fixture, [&](const xlog_data&, const pgoutput_message& message) {
    const auto* const table = std::get_if<relation>(&message);
    if (table != nullptr && table->name == name &&
        std::find(shapes.begin(), shapes.end(), *table) == shapes.end())
      shapes.push_back(*table);
  });
  return shapes;
}

std::string names_of(const relation& table) {
  std::string names;
  for (const auto& part : table.columns)
    names += (names.empty() ? "" : "|") + part.name + (part.key ? "*" : "");
  return names;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file{path};
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("#"))
      lines.push_back(line);
  return lines;
}

} // namespace

TEST_CASE("every server tells the rows, messages and truncates of the SQL, in order",
          "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(text_streams()));
  CAPTURE(fixture);
  const auto expected = lines_of(fixture_path("pgoutput.expected"));
  const auto told = story_of(fixture);
  REQUIRE_FALSE(expected.empty());
  for (std::size_t i = 0; i < std::min(told.size(), expected.size()); ++i) {
    CAPTURE(i);
    REQUIRE(told[i] == expected[i]);
  }
  CHECK(told.size() == expected.size());
}

TEST_CASE("relations come with names, keys and modifiers as declared", "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  const auto first = [&](const std::string& name) { return shapes_of(fixture, name).at(0); };
  CHECK(names_of(first("keyed")) == "id*|label*|big|note"); // without the dropped column
  CHECK(first("keyed").columns[0].type == 23);
  CHECK(first("keyed").columns[3].type == 1043);
  CHECK(first("keyed").columns[3].type_modifier == 40 + 4);
  CHECK(names_of(first("whole")) == "id*|label*|big*|note*");
  CHECK(names_of(first("indexed")) == "a|b*|c*");
  CHECK(names_of(first("unidentified")) == "a");
  CHECK(names_of(first("keyless")) == "a");
  CHECK(names_of(first("computed")) == "id*"); // a generated column is not published
  CHECK(first("in_catalog").schema == "pg_catalog");
  CHECK(first("every_type").columns[6].type_modifier == (12 << 16 | 3) + 4);
  const auto hostile = first("Täble \"x\".y");
  CHECK(hostile.schema == "Größe & \"Maß\"");
  CHECK(names_of(hostile) == "Größe*|with \"quotes\"| ;--|😀|UPPER");
  const auto widest = first("widest");
  CHECK(widest.columns.front().name == "c1");
  CHECK(widest.columns.back().name == "c1600");
}

TEST_CASE("a table is announced anew for every shape it takes", "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  std::vector<std::string> shapes;
  for (const auto& table : shapes_of(fixture, "moods"))
    shapes.push_back(names_of(table));
  CHECK(shapes == std::vector<std::string>{"id*|feeling|amount|parts",
                                           "id*|feeling|amount|parts|added",
                                           "id*|feeling|parts|added", "id*|feeling|parts|renamed",
                                           "id*|feeling*|parts*|renamed*"});
}

TEST_CASE("types of ours are announced, a domain by its base type", "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  std::set<std::string> types;
  for_each_message(fixture, [&](const xlog_data&, const pgoutput_message& message) {
    if (const auto* const type = std::get_if<type_message>(&message))
      types.insert(std::string{type->schema}.append(".").append(type->name));
  });
  CHECK(types == std::set<std::string>{"public.bare", "public.mood", "public.pair",
                                       "pg_catalog.int4", "pg_catalog.catalog_mood"});
}

TEST_CASE("transactions are framed by one commit position, which always grows",
          "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  std::optional<begin_message> open;
  std::uint64_t last = 0;
  for_each_message(fixture, [&](const xlog_data& data, const pgoutput_message& message) {
    if (const auto* const begin = std::get_if<begin_message>(&message)) {
      REQUIRE_FALSE(open);
      CHECK(begin->final_lsn.value() > last);
      open = *begin;
    } else if (const auto* const commit = std::get_if<commit_message>(&message)) {
      REQUIRE(open);
      CHECK(commit->commit_lsn == open->final_lsn);
      CHECK(commit->commit_time == open->commit_time);
      CHECK(commit->end_lsn.value() > commit->commit_lsn.value());
      CHECK(data.start == commit->end_lsn);
      last = commit->commit_lsn.value();
      open.reset();
    }
  });
  CHECK_FALSE(open);
}

TEST_CASE("positions of frames repeat within and across transactions", "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  std::map<std::uint64_t, int> rows;
  lsn last_commit{};
  auto begins_at_commit = 0;
  for_each_message(fixture, [&](const xlog_data& data, const pgoutput_message& message) {
    if (std::holds_alternative<row_message>(message))
      ++rows[data.start.value()];
    else if (std::holds_alternative<commit_message>(message))
      last_commit = data.start;
    else if (std::holds_alternative<begin_message>(message) && data.start == last_commit)
      ++begins_at_commit;
  });
  const auto most = std::max_element(
    rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  CHECK(most->second == 3); // the rows of the COPY
  CHECK(begins_at_commit > 0);
}

TEST_CASE("only servers before 15 announce empty transactions", "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  auto empty = 0;
  auto begun = false;
  for_each_message(fixture, [&](const xlog_data&, const pgoutput_message& message) {
    if (begun && std::holds_alternative<commit_message>(message))
      ++empty;
    begun = std::holds_alternative<begin_message>(message);
  });
  CHECK((empty > 0) == (major_of(fixture) == "14"));
}

TEST_CASE("the replayed transaction carries its origin's position, name and commit time",
          "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  auto origins = 0;
  std::string commit_time;
  for_each_message(fixture, [&](const xlog_data&, const pgoutput_message& message) {
    if (const auto* const begin = std::get_if<begin_message>(&message))
      commit_time = to_string(begin->commit_time);
    const auto* const origin = std::get_if<origin_message>(&message);
    if (origin == nullptr)
      return;
    ++origins;
    CHECK(to_string(origin->at) == "1/ABCDEF01");
    CHECK(origin->name == "elsewhere ö");
    CHECK(commit_time == "2026-01-02T03:04:05.000000Z");
  });
  CHECK(origins == 1);
}
