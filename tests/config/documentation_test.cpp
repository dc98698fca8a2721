// SPDX-License-Identifier: MIT
#include "replicant/config/interpret.hpp"
#include "replicant/config/load.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace replicant;

namespace {

/// A row of docs/configuration.md.
struct documented_key {
  std::string table; ///< "runtime", "pipeline.sink", ...
  std::string name;
  std::string default_value; ///< A TOML value, or words.
};

/// The tables of the document: their headings name the tables of a configuration, and those of a
/// sink its kind.
std::vector<documented_key> documented() {
  std::ifstream page{REPLICANT_SOURCE_DIR "/docs/configuration.md"};
  REQUIRE(page);
  const std::regex heading{R"(#+ `\[+([a-z_.]+)\]+`)"};
  const std::regex row{R"(\| `([a-z_]+)` \| [^|]+ \| ([^|]+) \|.*)"};
  std::vector<documented_key> keys;
  std::string table;
  std::smatch found;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, found, heading))
      table = found[1];
    else if (std::regex_match(line, found, row))
      keys.push_back({.table = table, .name = found[1], .default_value = found[2]});
  return keys;
}

bool is_toml(const std::string& default_value) {
  return default_value.starts_with('`') && default_value.find(' ') == std::string::npos;
}

/// A configuration with what is required, and perhaps one line more in one of its tables.
std::string minimal(const std::string& table, const std::string& more) {
  const std::vector<std::pair<std::string, std::string>> tables{
    {"runtime", "state_dir = \"/tmp\"\n"},
    {"pipeline", "name = \"shop\"\nslot_name = \"shop\"\npublication = \"shop\"\n"},
    {"pipeline.connection", "conninfo = \"dbname=shop\"\n"},
    {"pipeline.streaming", ""},
    {"pipeline.streaming.spill", ""},
    {"pipeline.batch_delivery", ""},
    {"pipeline.checkpoint_store", "conninfo = \"dbname=shop\"\n"},
    {"pipeline.checkpoint_store.batch", ""},
    {"pipeline.sink", "kind = \"jsonl\"\npath = \"/tmp/shop.jsonl\"\n"}};
  // A store goes neither with batches nor with a file; and what spills is said in one place.
  const auto of_store = table.starts_with("pipeline.checkpoint_store");
  const auto fits = [&table, of_store](const std::string& name) {
    return name == "pipeline.batch_delivery"               ? !of_store
           : name == "pipeline.streaming.spill"            ? table == name
           : name.starts_with("pipeline.checkpoint_store") ? of_store
                                                           : true;
  };
  std::string text;
  for (const auto& [name, lines] : tables)
    if (fits(name))
      text += (name == "pipeline" ? "[[pipeline]]\n" : "[" + name + "]\n") +
              (of_store && name == "pipeline.sink" ? "kind = \"null\"\n" : lines) +
              (name == table ? more : "");
  return text;
}

/// What another key has to be for this one to have a meaning.
std::string condition_of(const std::string& key) {
  return key == "fsync_interval_ms" ? "fsync = \"interval\"\n" : "";
}

} // namespace

TEST_CASE("every key is documented, and nothing else is", "[config][unit]") {
  std::set<std::string> told{"runtime", "pipeline"};
  for (const auto& one : documented())
    told.insert(one.table + "." + one.name);
  std::set<std::string> there;
  for (const auto& key : known_keys())
    there.insert(key);
  CHECK(told == there);
}

TEST_CASE("a documented default is what a key left out means", "[config][unit]") {
  const auto lookup = [](const std::string&) { return std::optional<std::string>{}; };
  auto compared = 0;
  for (const auto& one : documented()) {
    if (!is_toml(one.default_value))
      continue;
    INFO(one.table << "." << one.name);
    const auto condition = condition_of(one.name);
    const auto value = one.default_value.substr(1, one.default_value.size() - 2);
    const auto left_out = load(minimal(one.table, condition), lookup);
    const auto written =
      load(minimal(one.table, condition + one.name + " = " + value + "\n"), lookup);
    REQUIRE(left_out);
    REQUIRE(written);
    CHECK(*left_out == *written);
    ++compared;
  }
  CHECK(compared >= 15);
}
