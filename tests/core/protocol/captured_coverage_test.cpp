// SPDX-License-Identifier: MIT
#include "replicant/tests/core/protocol/captured_stream.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <variant>

using namespace replicant;

namespace {

/// How often each kind of message, and each kind of cell in each kind of row image, was seen.
using census = std::map<std::string, int>;

/// Every kind that a server can send in protocol 1 without binary values. What is not here cannot
/// be sent: an insert and an old image have no unchanged cell, and nothing streams.
const std::set<std::string> text_kinds{
  "keepalive",
  "keepalive that wants a reply",
  "begin",
  "commit",
  "origin",
  "type",
  "type of pg_catalog",
  "relation identified by primary key",
  "relation identified by nothing",
  "relation identified by full",
  "relation identified by index",
  "relation of pg_catalog",
  "relation of no column",
  "relation of 1600 columns",
  "column",
  "column with modifier",
  "key column",
  "key column with modifier",
  "insert",
  "insert of no cell",
  "insert: new null",
  "insert: new text",
  "update",
  "update: new null",
  "update: new unchanged",
  "update: new text",
  "update by key",
  "update by key: old null",
  "update by key: old text",
  "update by key: new null",
  "update by key: new unchanged",
  "update by key: new text",
  "update by row",
  "update by row: old null",
  "update by row: old text",
  "update by row: new null",
  "update by row: new unchanged",
  "update by row: new text",
  "delete by key",
  "delete by key: old null",
  "delete by key: old text",
  "delete by row",
  "delete by row of no cell",
  "delete by row: old null",
  "delete by row: old text",
  "truncate",
  "truncate of several",
  "truncate cascade of several",
  "truncate restart identity",
  "truncate restart identity cascade of several",
  "message",
  "message without prefix",
  "message without content",
  "message outside",
  "message outside without prefix",
};

/// What `binary 'true'` adds. Text stays: some types have no binary form.
const std::set<std::string> binary_kinds{
  "insert: new binary",        "update: new binary",        "update by key: old binary",
  "update by key: new binary", "update by row: old binary", "update by row: new binary",
  "delete by key: old binary", "delete by row: old binary",
};

std::string name_of(cell_kind kind) {
  switch (kind) {
    case cell_kind::null: return "null";
    case cell_kind::unchanged: return "unchanged";
    case cell_kind::text: return "text";
    case cell_kind::binary: return "binary";
  }
  return "?";
}

std::string name_of(replica_identity identity) {
  switch (identity) {
    case replica_identity::primary_key: return "primary key";
    case replica_identity::nothing: return "nothing";
    case replica_identity::full: return "full";
    case replica_identity::index: return "index";
  }
  return "?";
}

/// Counts messages by kind.
struct counter {
  census& seen;

  void operator()(const begin_message&) const { ++seen["begin"]; }

  void operator()(const commit_message&) const { ++seen["commit"]; }

  void operator()(const origin_message&) const { ++seen["origin"]; }

  void operator()(const type_message& type) const {
    ++seen["type"];
    if (type.schema == "pg_catalog")
      ++seen["type of pg_catalog"];
  }

  void operator()(const relation& table) const {
    ++seen["relation identified by " + name_of(table.identity)];
    if (table.schema == "pg_catalog")
      ++seen["relation of pg_catalog"];
    if (table.columns.empty())
      ++seen["relation of no column"];
    if (table.columns.size() == 1600)
      ++seen["relation of 1600 columns"];
    for (const auto& part : table.columns)
      ++seen[std::string{part.key ? "key column" : "column"} +
             (part.type_modifier == -1 ? "" : " with modifier")];
  }

  void operator()(const row_message& row) const {
    auto kind = row.op == operation::insert   ? std::string{"insert"}
                : row.op == operation::update ? std::string{"update"}
                                              : std::string{"delete"};
    if (row.old_kind != old_image::none)
      kind += row.old_kind == old_image::key ? " by key" : " by row";
    ++seen[row.old.size() + row.record.size() > 0 ? kind : kind + " of no cell"];
    for (const auto& part : row.old)
      ++seen[kind + ": old " + name_of(part.kind)];
    for (const auto& part : row.record)
      ++seen[kind + ": new " + name_of(part.kind)];
  }

  void operator()(const truncate_message& truncate) const {
    ++seen[std::string{"truncate"} + (truncate.how.restart_identity ? " restart identity" : "") +
           (truncate.how.cascade ? " cascade" : "") +
           (truncate.relations.size() > 1 ? " of several" : "")];
  }

  void operator()(const logical_message& message) const {
    const std::string kind = message.transactional ? "message" : "message outside";
    ++seen[message.prefix.empty() ? kind + " without prefix" : kind];
    if (message.content.empty())
      ++seen[kind + " without content"];
  }

  void operator()(const stream_start_message& start) const {
    ++seen[start.first_segment ? "first segment" : "segment"];
  }

  void operator()(const stream_stop_message&) const { ++seen["end of segment"]; }

  void operator()(const stream_commit_message&) const { ++seen["stream commit"]; }

  void operator()(const stream_abort_message& abort) const {
    ++seen[abort.xid == abort.subxid ? "stream abort" : "stream abort of a part"];
  }

  void operator()(const keepalive& alive) const {
    ++seen[alive.reply_requested ? "keepalive that wants a reply" : "keepalive"];
  }
};

census count(const std::string& fixture) {
  census seen;
  const counter counts{seen};
  for_each_message(
    fixture,
    [&](const xlog_data&, const pgoutput_message& message) { std::visit(counts, message); },
    counts);
  return seen;
}

} // namespace

TEST_CASE("every recording holds every kind of message and cell, and no other",
          "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  CAPTURE(fixture);
  auto expected = text_kinds;
  if (fixture.ends_with("binary"))
    expected.insert(binary_kinds.begin(), binary_kinds.end());
  const auto seen = count(fixture);
  for (const auto& kind : expected) {
    INFO("missing: " << kind);
    CHECK(seen.contains(kind));
  }
  for (const auto& [kind, times] : seen) {
    INFO("unexpected: " << kind << ", " << times << " times");
    CHECK(expected.contains(kind));
  }
}

TEST_CASE("every recording that is kept is tried, and four majors are kept", "[protocol][unit]") {
  std::set<std::string> kept;
  for (const auto& file : std::filesystem::directory_iterator{fixture_path("")})
    if (file.path().extension() == ".frames")
      kept.insert(file.path().stem());
  const auto whole = captured_streams();
  std::set<std::string> tried{whole.begin(), whole.end()};
  // captured_segments_test.cpp
  for (const auto* const major : {"14", "15", "17", "18"})
    for (const auto* const form : {"text", "streamed"})
      tried.insert(std::string{"streams_"} + major + "_" + form);
  CHECK(kept == tried);
  std::set<std::string> majors;
  for (const auto& fixture : kept)
    majors.insert(major_of(fixture));
  CHECK(majors == std::set<std::string>{"14", "15", "17", "18"});
}
