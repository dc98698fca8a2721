// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/stream_dialect.hpp"
#include "replicant/tests/core/protocol/captured_stream.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>
#include <variant>

using namespace replicant;

namespace {

/// How often each kind of message was seen, and the subtransactions that were rolled back.
class counter {
public:
  std::map<std::string, int> seen;

  void operator()(const stream_start_message& start) {
    see(start.first_segment ? "first segment" : "segment");
    started_.insert(start.xid);
    inside_ = true;
  }

  void operator()(const stream_stop_message& /*stop*/) { inside_ = false; }

  void operator()(const stream_commit_message& commit) {
    see(started_.erase(commit.xid) == 1 ? "stream commit" : "stray stream commit");
  }

  void operator()(const stream_abort_message& abort) {
    const std::string stray = started_.contains(abort.xid) ? "" : "stray ";
    if (abort.subxid != abort.xid)
      return see(stray + "abort of a part");
    see(stray + "abort");
    started_.erase(abort.xid);
  }

  void operator()(const begin_message& /*begin*/) { see("begin"); }

  void operator()(const commit_message& /*commit*/) { see("commit"); }

  void operator()(const origin_message& origin) {
    see(origin.at == lsn{} ? "origin without position" : "origin");
  }

  void operator()(const relation& /*table*/) { see("relation"); }

  void operator()(const type_message& /*type*/) { see("type"); }

  void operator()(const row_message& row) {
    see(row.op == operation::insert ? "insert" : row.op == operation::update ? "update" : "delete");
  }

  void operator()(const truncate_message& /*truncate*/) { see("truncate"); }

  void operator()(const logical_message& message) {
    see(message.transactional ? "message" : "message outside");
  }

  /// Those of which the end was not seen.
  [[nodiscard]] std::size_t open() const { return started_.size(); }

private:
  void see(const std::string& kind) { ++seen[inside_ ? "in a segment: " + kind : kind]; }

  std::set<std::uint32_t> started_;
  bool inside_ = false;
};

const std::set<std::string> kinds{
  "first segment",
  "segment",
  "stream commit",
  "abort",
  "abort of a part",
  "in a segment: origin without position",
  "in a segment: relation",
  "in a segment: type",
  "in a segment: insert",
  "in a segment: update",
  "in a segment: delete",
  "in a segment: truncate",
  "in a segment: message",
  "begin",
  "relation",
  "type",
  "insert",
  "commit",
  "message outside",
};

} // namespace

TEST_CASE("every recording of open transactions holds all that may come, in its place",
          "[protocol][unit]") {
  const std::string major = GENERATE("14", "15", "17", "18");
  CAPTURE(major);
  counter count;
  for_each_message(
    "streams_" + major + "_streamed",
    [&](const xlog_data&, const pgoutput_message& message) { std::visit(count, message); });
  auto expected = kinds;
  const auto version = static_cast<std::uint32_t>(std::stoul(major)) * 10'000;
  if (dialect_of(version, true).stray_aborts)
    expected.insert("stray abort of a part");
  std::set<std::string> found;
  for (const auto& [kind, times] : count.seen)
    found.insert(kind);
  CHECK(found == expected);
  CHECK(count.open() == 0);
}

TEST_CASE("without streaming nothing of it is recorded but what 18 sends unasked",
          "[protocol][unit]") {
  const std::string major = GENERATE("14", "15", "17", "18");
  CAPTURE(major);
  counter count;
  for_each_message(
    "streams_" + major + "_text",
    [&](const xlog_data&, const pgoutput_message& message) { std::visit(count, message); });
  CHECK(count.seen.contains("insert"));
  CHECK(count.seen.contains("message"));
  std::set<std::string> streamed;
  for (const auto& [kind, times] : count.seen)
    if (kind.find("segment") != std::string::npos || kind.find("abort") != std::string::npos ||
        kind.find("stream") != std::string::npos)
      streamed.insert(kind);
  CHECK(streamed ==
        (major == "18" ? std::set<std::string>{"stray abort of a part"} : std::set<std::string>{}));
}
