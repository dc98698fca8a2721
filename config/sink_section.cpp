// SPDX-License-Identifier: MIT
#include "replicant/config/sink_section.hpp"

#include "replicant/config/foreign_keys.hpp"
#include "replicant/config/value_readers.hpp"

#include <array>

namespace replicant {

namespace {

using enum presence;

// In the order of the enumerators.
constexpr std::array<std::string_view, 2> fsync_policies{"every_commit", "interval"};
constexpr std::array<std::string_view, 2> numeric_styles{"string", "number"};

constexpr std::int64_t max_fsync_interval = 60'000;

constexpr std::string_view kind_example = R"(kind = "jsonl")";

constexpr std::string_view rotate_form = R"({ bytes = "1GiB", interval = "1h" })";

using rotation = rotation_settings;
constexpr std::array rotation_keys{
  key<rotation>{"bytes", optional, size<&rotation::bytes>},
  key<rotation>{"interval", optional, duration<&rotation::interval>},
};
constexpr section<rotation> rotation_section{"pipeline.sink.rotate", rotation_keys, rotate_form};

using lines = jsonl_settings;

void rotate(lines& into, const node& value, std::string_view path, reading& log) {
  read_table(into.rotate, value, rotation_section, log);
  if (const auto* table = std::get_if<node_table>(&value.content); table && table->empty())
    log.refuse(
      value.at, path,
      std::string{"is empty and would never rotate; write for example "}.append(rotate_form));
}

constexpr std::array jsonl_keys{
  key<lines>{"kind", required, settled, kind_example},
  key<lines>{"path", required, text<&lines::path, check_file_path>,
             R"(path = "/var/lib/replicant/shop.jsonl")"},
  key<lines>{"fsync", optional, choice<&lines::fsync, fsync_policies>},
  key<lines>{"fsync_interval_ms", optional, number<&lines::fsync_interval, 1, max_fsync_interval>},
  key<lines>{"numeric", optional, choice<&lines::numeric, numeric_styles>},
  key<lines>{"rotate", optional, rotate},
};
constexpr section<lines> jsonl_section{"pipeline.sink", jsonl_keys, sink_form};

constexpr std::array null_keys{
  key<null_settings>{"kind", required, settled, kind_example},
};
constexpr section<null_settings> null_section{"pipeline.sink", null_keys, sink_form};

constexpr std::array<std::string_view, 2> sink_kinds{"jsonl", "null"};

/// Standard output is written and forgotten.
void refuse_file_keys(reading& log) {
  for (const auto* const name :
       {"pipeline.sink.fsync", "pipeline.sink.fsync_interval_ms", "pipeline.sink.rotate"})
    if (const auto at = log.place_of(name))
      log.refuse(*at, name,
                 "has no meaning for standard output; remove it, or write a file's path instead of "
                 "\"-\"");
}

void judge_sync(const jsonl_settings& sink, reading& log) {
  constexpr std::string_view interval = "pipeline.sink.fsync_interval_ms";
  if (const auto at = log.place_of(interval); at && sink.fsync != fsync_policy::interval)
    log.refuse(*at, interval,
               "has no meaning while every commit is synced; write fsync = \"interval\" or remove "
               "this key");
}

jsonl_settings read_jsonl(const node& value, reading& log) {
  jsonl_settings sink;
  read_table(sink, value, jsonl_section, log);
  if (sink.to_standard_output())
    refuse_file_keys(log);
  else
    judge_sync(sink, log);
  return sink;
}

null_settings read_null(const node& value, reading& log) {
  null_settings sink;
  read_table(sink, value, null_section, log);
  return sink;
}

/// The kind, if it is one of ours.
std::optional<std::string_view> read_kind(const node& value, reading& log) {
  constexpr std::string_view path = "pipeline.sink.kind";
  if (const auto* given = std::get_if<std::string>(&value.content))
    if (const auto told = explain_foreign_sink(*given)) {
      log.refuse(value.at, path, *told);
      return std::nullopt;
    }
  const auto chosen = read_choice(value, path, sink_kinds, log);
  return chosen ? std::optional{sink_kinds.at(*chosen)} : std::nullopt;
}

} // namespace

sink_settings read_sink(const node& value, std::string_view path, reading& log) {
  const auto* table = std::get_if<node_table>(&value.content);
  if (table == nullptr) {
    log.refuse_type(value, path, sink_form);
    return {};
  }
  const auto* kind = find(*table, "kind");
  if (kind == nullptr) {
    log.refuse(
      value.at, "pipeline.sink.kind",
      R"(is missing, and nothing can stand in for it; write kind = "jsonl" or kind = "null")");
    return {};
  }
  const auto chosen = read_kind(kind->value, log);
  if (!chosen)
    return {};
  if (*chosen == "jsonl")
    return read_jsonl(value, log);
  return read_null(value, log);
}

std::vector<std::string> known_sink_keys() {
  std::vector<std::string> names;
  append_names(names, jsonl_section);
  append_names(names, rotation_section);
  append_names(names, null_section);
  return names;
}

} // namespace replicant
