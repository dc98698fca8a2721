// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t orders = 16384;
constexpr std::size_t row_bytes = 1000;

using frames = std::vector<std::string>;

frames operator+(frames left, const frames& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A segment of `top` with rows that belong to `xid`.
frames segment(std::uint32_t top, bool first, std::size_t rows, std::uint32_t xid = 0) {
  const auto part = xid == 0 ? top : xid;
  frames made{data_frame(lsn{150}, stream_start_payload(top, first)),
              data_frame(lsn{}, in_segment(part, relation_payload(orders, "orders", {"id"})))};
  for (std::size_t row = 0; row < rows; ++row)
    made.push_back(data_frame(
      lsn{150}, in_segment(part, insert_payload(orders, {std::string(row_bytes, 'x')}))));
  made.push_back(data_frame(lsn{150}, stream_stop_payload()));
  return made;
}

frames stream_commit(std::uint32_t xid, std::uint64_t commit) {
  return {data_frame(lsn{commit}, stream_commit_payload(xid, lsn{commit}))};
}

frames stream_abort(std::uint32_t xid, std::uint32_t subxid) {
  return {data_frame(lsn{150}, stream_abort_payload(xid, subxid))};
}

/// The spill files of the pipeline that there are now.
std::vector<std::filesystem::path> spill_files(const pipeline_run& run) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (const auto& one :
       std::filesystem::recursive_directory_iterator{run.spill_folder.path(), ignored})
    if (one.is_regular_file())
      found.push_back(one.path());
  return found;
}

bool spills(const pipeline_run& run, std::size_t files = 1) {
  return wait_until([&] { return spill_files(run).size() == files; });
}

bool leaves_nothing(const pipeline_run& run) {
  return wait_until([&] { return spill_files(run).empty(); });
}

/// Memory for some thirty rows of those that are open.
void keep_small(pipeline_run& run) {
  run.settings.max_inflight_lag = 64 * 1024;
}

/// Sends a transaction that lies on disk before its commit comes. @returns whether it did.
bool sends_large(pipeline_run& run, std::uint64_t commit) {
  run.server.send(segment(5, true, 200));
  const auto lies = spills(run);
  run.server.send(stream_commit(5, commit));
  return lies;
}

bool streams_again(const pipeline_run& run, std::size_t count) {
  return wait_until([&] { return run.server.streams().size() == count; }) &&
         run.reaches(pipeline_phase::streaming);
}

} // namespace

TEST_CASE("a transaction that outgrows memory is spilled, delivered once and leaves nothing",
          "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  REQUIRE(run.streams());
  CHECK(run.server.streaming() == std::vector{true});
  run.server.send(segment(5, true, 200));
  REQUIRE(spills(run));
  CHECK(spill_files(run).front().filename() == "5.spill");
  CHECK(run.ledger->transactions().empty());
  REQUIRE(wait_until([&] { return run.status().spilled_bytes > 100 * row_bytes; }));
  const auto open = run.status();
  CHECK(open.open_transactions == 1);
  CHECK(open.open_bytes <= run.settings.max_inflight_lag / 2);
  CHECK(open.spills == 1);
  CHECK_FALSE(run.watcher->all(event_kind::spilled).empty());

  run.server.send(segment(5, false, 7) + stream_commit(5, 200));
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->transactions().front().events == 207);
  CHECK(leaves_nothing(run));
  REQUIRE(wait_until([&] { return run.status().spilled_bytes == 0; }));
  const auto done = run.status();
  CHECK(done.streamed == 1);
  CHECK(done.changes == 207);
  CHECK(done.bytes > 207 * row_bytes);
  CHECK(done.open_transactions == 0);
}

TEST_CASE("what is rolled back is never delivered, and leaves no file", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  REQUIRE(run.streams());
  run.server.send(segment(5, true, 100) + segment(6, true, 3));
  REQUIRE(spills(run));
  run.server.send(stream_abort(5, 5));
  REQUIRE(leaves_nothing(run));
  CHECK(wait_until([&] { return run.status().rolled_back == 1; }));
  CHECK_FALSE(run.watcher->all(event_kind::rolled_back).empty());
  run.server.send(segment(6, false, 2, 61) + stream_abort(6, 61) + stream_commit(6, 200));
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->transactions().front().events == 3);
}

TEST_CASE("a transaction that comes whole is spilled as well", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.settings.streaming.enabled = false;
  REQUIRE(run.streams());
  CHECK(run.server.streaming() == std::vector{false});
  run.server.send_transaction(200, 2000, row_bytes);
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->transactions().front().events == 2000);
  CHECK(wait_until([&] { return run.status().spills == 1; }));
  CHECK(run.status().streamed == 0);
  CHECK(leaves_nothing(run));
}

TEST_CASE("open transactions hold back neither others nor idle positions", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  REQUIRE(run.streams<with_frontier<recording_sink>>());
  run.server.send(segment(5, true, 100));
  REQUIRE(spills(run));
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.send(segment(6, true, 40));
  run.server.send_keepalive(300, true);
  REQUIRE(run.confirms(300));
  run.server.send(stream_commit(6, 300));
  REQUIRE(run.confirms(301));
  run.server.send(stream_commit(5, 400));
  REQUIRE(run.confirms(401));
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200, 300, 400});
}

TEST_CASE("a connection that breaks inside of a segment costs nothing", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  REQUIRE(run.streams());
  auto cut = segment(5, true, 100) + segment(5, false, 40);
  cut.resize(cut.size() - 20);
  run.server.send(cut);
  REQUIRE(spills(run));
  REQUIRE(wait_until([&] { return run.server.frames_unread() == 0; }));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 2));
  REQUIRE(leaves_nothing(run));
  run.server.send(segment(5, true, 140) + stream_commit(5, 200));
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->transactions().size() == 1);
  CHECK(run.ledger->transactions().front().events == 140);
}

TEST_CASE("a stop does not wait for what is open", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  run.server.send(segment(5, true, 100));
  REQUIRE(spills(run));
  CHECK(run.stop().phase == pipeline_phase::stopped);
  CHECK(run.server.confirmed() == lsn{201});
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(std::filesystem::is_empty(run.spill_folder.path()));
}

TEST_CASE("after an error inside of the server it is asked for whole transactions, until they pass",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.break_off({.why = reason::command_failed, .code = sqlstate{"XX000"}});
  REQUIRE(streams_again(run, 2));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 3));
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(streams_again(run, 4));
  CHECK(run.server.streaming() == std::vector{true, false, false, true});
}

TEST_CASE("where it is not known which messages were rolled back, the transaction is read whole",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  const auto message = message_payload(true, lsn{160}, "p", "m");
  run.server.send(frames{data_frame(lsn{150}, stream_start_payload(5, true)),
                         data_frame(lsn{150}, in_segment(5, message)),
                         data_frame(lsn{150}, stream_stop_payload())} +
                  stream_abort(5, 51) + stream_commit(5, 200));
  REQUIRE(streams_again(run, 2));
  CHECK(run.server.streaming() == std::vector{true, false});
  CHECK(run.status().last_fault->why == reason::rollback_undecided);
  CHECK(run.ledger->transactions().empty());
}

TEST_CASE("a segment that nobody asked for is not understood", "[actors][unit]") {
  pipeline_run run;
  run.settings.streaming.enabled = false;
  REQUIRE(run.streams());
  run.server.send(segment(5, true, 1));
  CHECK(run.halts().why == reason::decode_failure);
}

TEST_CASE("without a place to spill a transaction that outgrows memory halts", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.settings.streaming.spill.reset();
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.send(segment(5, true, 200));
  CHECK(to_string(run.halts()) == "transaction_too_large at=0/96 xid=5 limit=65536");
  CHECK(run.server.confirmed() == lsn{201});
}

TEST_CASE("more open transactions than are allowed are read whole", "[actors][unit]") {
  pipeline_run run;
  run.settings.streaming.max_concurrent_txns = 2;
  REQUIRE(run.streams());
  run.server.send(segment(5, true, 1) + segment(6, true, 1) + segment(7, true, 1));
  REQUIRE(streams_again(run, 2));
  CHECK(run.server.streaming() == std::vector{true, false});
  CHECK(to_string(*run.status().last_fault) == "too_many_streams at=0/96 limit=2");
}

TEST_CASE("more than may be on disk is told, halts, and leaves nothing", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.settings.streaming.spill->max_spill_bytes = 128 * 1024;
  REQUIRE(run.streams());
  run.server.send(segment(5, true, 400));
  const auto why = run.halts();
  CHECK(why.why == reason::spill_exhausted);
  CHECK(find_fact(why, fact_kind::limit) == 128 * 1024);
  CHECK(leaves_nothing(run));
  const auto told = run.watcher->kinds();
  const auto breach = std::ranges::find(told, event_kind::spill_exhausted);
  REQUIRE(breach != told.end());
  CHECK(std::find(breach, told.end(), event_kind::halted) != told.end());
  CHECK(run.status().spilled_bytes == 0);
}

TEST_CASE("a disk that takes nothing halts, and blames the disk", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.settings.streaming.spill->dir = run.spill_folder / "file";
  std::ofstream{run.spill_folder / "file"} << "in the way";
  REQUIRE(run.streams());
  run.server.send(segment(5, true, 200));
  CHECK(run.halts().why == reason::spill_io_failed);
  CHECK(run.ledger->plan.count(sink_call::transaction) == 0);
}

TEST_CASE("a file that is not what was written halts, and blames the file and not the sink",
          "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.ledger->plan.hold(sink_call::transaction);
  REQUIRE(run.streams());
  REQUIRE(sends_large(run, 200));
  REQUIRE(wait_until([&] { return run.ledger->plan.waits_in(sink_call::transaction); }));
  const auto file = spill_files(run).front();
  const auto at = static_cast<std::streamoff>(std::filesystem::file_size(file) / 2);
  std::fstream{file, std::ios::in | std::ios::out | std::ios::binary}.seekp(at) << "damage";
  run.ledger->plan.release(sink_call::transaction);
  CHECK(run.halts().why == reason::spill_io_failed);
  CHECK(run.ledger->transactions().empty());
  CHECK(run.server.confirmed() == lsn{100});
  CHECK(leaves_nothing(run));
}

TEST_CASE("what was spilled is taken again by a sink that could not take it at first",
          "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.ledger->plan.fail(sink_call::transaction, reason::server_unavailable, 1);
  REQUIRE(run.streams());
  for (const auto streams : {1U, 2U}) {
    REQUIRE(streams_again(run, streams));
    REQUIRE(leaves_nothing(run));
    REQUIRE(sends_large(run, 200));
  }
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->transactions().size() == 1);
}

TEST_CASE("what was spilled ends an open batch and is one of its own", "[actors][unit]") {
  using positions = std::vector<std::uint64_t>;
  pipeline_run run;
  keep_small(run);
  run.settings.batch_delivery = {.max_transactions = 10, .max_delay = 1h};
  REQUIRE(run.streams<with_batches<recording_sink>>());
  run.server.send_transaction(200);
  run.server.send_transaction(300);
  REQUIRE(sends_large(run, 400));
  REQUIRE(run.confirms(401));
  CHECK(run.ledger->batches() == std::vector<positions>{{200, 300}, {400}});
  CHECK(leaves_nothing(run));
}

TEST_CASE("what was spilled is taken again when its batch failed", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.settings.batch_delivery = {.max_transactions = 10, .max_delay = 1h};
  run.ledger->plan.fail(sink_call::batch, reason::server_unavailable, 1);
  REQUIRE(run.streams<with_batches<recording_sink>>());
  for (const auto streams : {1U, 2U}) {
    REQUIRE(streams_again(run, streams));
    REQUIRE(leaves_nothing(run));
    REQUIRE(sends_large(run, 200));
  }
  REQUIRE(run.confirms(201));
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(leaves_nothing(run));
}

TEST_CASE("what lies on disk for long costs no attention", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  REQUIRE(run.streams());
  run.server.send(segment(5, true, 200));
  REQUIRE(spills(run));
  REQUIRE(wait_until([&] { return run.status().spilled_bytes > 0; }));
  const auto before = run.server.plan.count(source_call::flush);
  std::this_thread::sleep_for(1s);
  // Four looks a second; the bound is far from what a loop without a pause would need.
  CHECK(run.server.plan.count(source_call::flush) - before < 50);
}

TEST_CASE("an empty transaction that was streamed moves no position past an open batch",
          "[actors][unit]") {
  pipeline_run run;
  run.settings.batch_delivery = {.max_transactions = 10, .max_delay = 1h};
  REQUIRE(run.streams<with_batches<recording_sink>>());
  run.server.send_transaction(200);
  run.server.send(segment(5, true, 3, 51) + stream_abort(5, 51) + stream_commit(5, 300));
  REQUIRE(wait_until([&] { return run.server.frames_unread() == 0; }));
  CHECK(run.asks(350) == 100);
  CHECK(run.ledger->batches().empty());
  CHECK(run.stop().phase == pipeline_phase::stopped);
  CHECK(run.server.confirmed() != lsn{100});
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
}

TEST_CASE("beside a checkpoint store what was spilled is stored at once", "[actors][unit]") {
  pipeline_run run;
  keep_small(run);
  run.store->hold({.held = {.memory = sink_memory::prepared}, .source = run.server.identity()});
  run.settings.checkpoint_store.emplace();
  run.settings.checkpoint_store->batch = {.max_transactions = 10, .max_delay = 1h};
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(sends_large(run, 300));
  REQUIRE(run.confirms(301));
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200, 300});
  CHECK(leaves_nothing(run));
}
