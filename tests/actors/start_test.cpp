// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace replicant;
using namespace replicant::test;

namespace {

using lines = std::vector<std::string>;
using session_frontier_sink = with_frontier<with_session<recording_sink>>;

/// A pipeline that may begin at the present moment, without a slot yet.
void prepare_fresh(pipeline_run& run) {
  run.settings.go_forward_only = true;
  run.server.change_facts([](source_facts& facts) { facts.slot.reset(); });
  run.ledger->hold({sink_memory::empty});
}

/// Who called from where, without what the two sides do at the same time.
std::set<std::thread::id> threads_of(const journal& log, std::string_view who) {
  std::set<std::thread::id> found;
  for (const auto& one : log.entries())
    if (one.who == who)
      found.insert(one.thread);
  return found;
}

struct refusal {
  std::string title;
  reason why;
  std::function<void(pipeline_run&, source_facts&)> arrange;
};

const std::vector<refusal> refused_servers{
  {"a server too old", reason::server_unsupported,
   [](auto& run, auto&) {
     run.server.plan.fail(source_call::connect, reason::server_unsupported);
   }},
  {"another server", reason::session_identity_rejected,
   [](auto& run, auto&) { run.settings.source_identity.system_identifier = "7"; }},
  {"another database", reason::session_identity_rejected,
   [](auto& run, auto&) { run.settings.source_identity.database = "store"; }},
};

const std::vector<refusal> refused_starts{
  {"a server without slots for failovers", reason::failover_unsupported,
   [](auto& run, auto& facts) {
     run.settings.slot = slot_lifetime::failover;
     facts.server_version = 160000;
   }},
  {"a server that writes too little", reason::wal_level_insufficient,
   [](auto&, auto& facts) { facts.wal_level = "replica"; }},
  {"no publication", reason::publication_missing,
   [](auto&, auto& facts) { facts.publications_exist = false; }},
  {"no slot and no permission", reason::go_forward_required,
   [](auto&, auto& facts) { facts.slot.reset(); }},
  {"no slot for a sink that holds a position", reason::data_gap,
   [](auto& run, auto& facts) {
     run.settings.go_forward_only = true;
     facts.slot.reset();
     run.ledger->hold({sink_memory::position, watermark::through(lsn{150})});
   }},
  {"a physical slot", reason::slot_not_logical,
   [](auto&, auto& facts) { facts.slot->logical = false; }},
  {"a slot of another plugin", reason::slot_wrong_plugin,
   [](auto&, auto& facts) { facts.slot->plugin = "test_decoding"; }},
  {"a slot of another database", reason::slot_wrong_database,
   [](auto&, auto& facts) { facts.slot->database = "store"; }},
  {"a slot that sends what is only prepared", reason::slot_two_phase,
   [](auto&, auto& facts) { facts.slot->two_phase = true; }},
  {"a slot of a standby", reason::slot_synced_unpromoted,
   [](auto&, auto& facts) { facts.slot->unpromoted = true; }},
  {"a slot whose WAL is gone", reason::slot_lost,
   [](auto&, auto& facts) { facts.slot->wal_status = "lost"; }},
  {"an invalidated slot", reason::slot_invalidated,
   [](auto&, auto& facts) { facts.slot->invalidation_reason = "idle_timeout"; }},
  {"a slot and a sink that could remember but does not", reason::checkpoint_missing,
   [](auto& run, auto&) { run.ledger->hold({sink_memory::empty}); }},
  {"a slot that somebody else moved", reason::slot_advanced,
   [](auto& run, auto&) {
     run.ledger->hold({sink_memory::position, watermark::through(lsn{50})});
   }},
  {"an older copy of the server", reason::server_behind,
   [](auto& run, auto& facts) {
     facts.wal_position = lsn{400};
     run.ledger->hold({sink_memory::position, watermark::through(lsn{450})});
   }},
};

/// Nothing was created, started or written, and the reason is kept.
void check_refusal(const refusal& expected, const lines& asked_of_the_sink) {
  INFO(expected.title);
  pipeline_run run;
  run.server.change_facts([&](source_facts& facts) { expected.arrange(run, facts); });
  run.start<session_frontier_sink>();
  CHECK(run.halts().why == expected.why);
  CHECK(run.log->lines({"connect", "sink made", "sink gone"}) == asked_of_the_sink);
  CHECK(run.server.statuses().empty());
  CHECK(run.server.open_connections() == 0);
  CHECK(run.status().transactions == 0);
}

} // namespace

TEST_CASE("a fresh start asks the sink before it creates the slot, and streams before it delivers",
          "[actors][unit]") {
  pipeline_run run;
  prepare_fresh(run);
  REQUIRE(run.streams<session_frontier_sink>());
  run.server.send_transaction(600);
  REQUIRE(run.takes({600}));
  CHECK(run.log->lines({"connect", "sink made"}) ==
        lines{"identity shop", "checkpoint", "stream fresh", "create slot", "start 500",
              "frontier 499", "transaction 600"});
}

TEST_CASE("a resumed start writes nothing before the stream begins", "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({sink_memory::position, watermark::through(lsn{150})});
  REQUIRE(run.streams<session_frontier_sink>());
  run.server.send_transaction(200);
  REQUIRE(run.takes({200}));
  CHECK(run.log->lines({"connect", "sink made"}) ==
        lines{"identity shop", "checkpoint", "stream resumed", "start 151", "transaction 200"});
}

TEST_CASE("the sink is made, called and destroyed by one thread, the source driven by another",
          "[actors][unit]") {
  pipeline_run run;
  prepare_fresh(run);
  REQUIRE(run.streams<with_deferral<session_frontier_sink>>());
  run.server.send_transaction(600);
  REQUIRE(run.takes({600}));
  run.stop();
  REQUIRE(run.log->holds("sink gone"));
  const auto sinks = threads_of(*run.log, "sink");
  const auto sources = threads_of(*run.log, "source");
  CHECK(sinks.size() == 1);
  CHECK(sources.size() == 1);
  CHECK(sinks != sources);
}

TEST_CASE("a server that is refused leaves the sink unasked", "[actors][unit]") {
  for (const auto& expected : refused_servers)
    check_refusal(expected, {});
}

TEST_CASE("a refused start creates no slot, begins no stream and writes nothing",
          "[actors][unit]") {
  for (const auto& expected : refused_starts)
    check_refusal(expected, {"identity shop", "checkpoint"});
}

TEST_CASE("a slot that another session holds is waited for", "[actors][unit]") {
  pipeline_run run;
  run.server.change_facts([](source_facts& facts) { facts.slot->active_pid = 4711; });
  run.start();
  REQUIRE(run.reaches(pipeline_phase::waiting));
  REQUIRE(run.status().last_fault);
  CHECK(run.status().last_fault->why == reason::slot_active);
  run.server.change_facts([](source_facts& facts) { facts.slot->active_pid = 0; });
  CHECK(run.reaches(pipeline_phase::streaming));
}

TEST_CASE("a sink that knows another source is asked nothing more", "[actors][unit]") {
  pipeline_run run;
  prepare_fresh(run);
  run.ledger->plan.fail(sink_call::identity, reason::session_identity_rejected);
  run.start<session_frontier_sink>();
  CHECK(run.halts().why == reason::session_identity_rejected);
  CHECK(run.log->lines({"connect", "sink made", "sink gone"}) == lines{"identity shop"});
}

TEST_CASE("a wrong server is told as such, whatever else it lacks", "[actors][unit]") {
  pipeline_run run;
  run.server.change_facts([](source_facts& facts) {
    facts.wal_level = "replica";
    facts.publications_exist = false;
    facts.slot.reset();
  });
  SECTION("by the configuration") {
    run.settings.source_identity.database = "store";
  }
  SECTION("by what the sink remembers") {
    run.ledger->plan.fail(sink_call::identity, reason::session_identity_rejected);
  }
  run.start<session_frontier_sink>();
  CHECK(run.halts().why == reason::session_identity_rejected);
}

TEST_CASE("a sink that cannot prepare its target costs no slot", "[actors][unit]") {
  pipeline_run run;
  prepare_fresh(run);
  run.ledger->plan.fail(sink_call::stream_start, reason::sink_failed);
  run.start<session_frontier_sink>();
  CHECK(run.halts().why == reason::sink_failed);
  CHECK_FALSE(run.log->holds("create slot"));
}

TEST_CASE("a sink whose memory cannot be read halts", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::checkpoint, reason::sink_unreadable);
  run.start<session_frontier_sink>();
  CHECK(run.halts().why == reason::sink_unreadable);
  CHECK_FALSE(run.log->holds("stream resumed"));
}

TEST_CASE("a factory that makes no sink halts", "[actors][unit]") {
  pipeline_run run;
  SECTION("because it tells why") {
    run.ledger->plan.fail(sink_call::make, reason::sink_locked);
    run.start();
    CHECK(run.halts().why == reason::sink_locked);
  }
  SECTION("because it gives an empty one") {
    run.start([] { return result<std::unique_ptr<sink>>{}; });
    CHECK(run.halts().why == reason::sink_failed);
  }
  SECTION("because there is none") {
    run.start(sink_factory{});
    CHECK(run.halts().why == reason::sink_failed);
  }
  CHECK(run.server.streams().empty());
}

TEST_CASE("a slot that the server refuses to create is told", "[actors][unit]") {
  pipeline_run run;
  prepare_fresh(run);
  run.server.plan.fail(source_call::create_slot,
                       fault{.why = reason::permission_denied, .code = sqlstate{"42501"}});
  run.start<session_frontier_sink>();
  const auto why = run.halts();
  CHECK(why.why == reason::permission_denied);
  CHECK(why.code.text() == "42501");
  CHECK(run.server.streams().empty());
}

TEST_CASE("a sink that knows its source but no position is told the origin before anything else",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({sink_memory::prepared});
  run.server.send_transaction(200);
  run.start<session_frontier_sink>();
  REQUIRE(run.takes({200}));
  CHECK(run.log->lines({"connect", "sink made", "identity shop", "checkpoint"}) ==
        lines{"stream resumed", "start 100", "frontier 99", "transaction 200"});
}

TEST_CASE("what the sink holds is not delivered again, though the slot stands before it",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->hold({sink_memory::position, watermark::through(lsn{200})});
  REQUIRE(run.streams());
  CHECK(run.server.streams() == std::vector{lsn{201}});
  // Old servers start where the slot stands, whatever they are asked.
  run.server.send(transaction_frames(150));
  run.server.send(transaction_frames(200));
  run.server.send_transaction(250);
  CHECK(run.takes({250}));
}
