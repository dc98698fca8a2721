// SPDX-License-Identifier: MIT
#include "replicant/actors/log_observer.hpp"
#include "replicant/tests/actors/pipeline_run.hpp"
#include "replicant/tests/support/captured_output.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

constexpr auto secret = "planted-secret-4f1c";

using every_capability = with_deferral<with_messages<with_frontier<with_session<recording_sink>>>>;

/// Everything that a pipeline ever tells about itself, as text.
std::string all_that_is_told(const pipeline_run& run) {
  const auto now = run.status();
  auto told = now.name + now.slot_name;
  if (now.last_fault)
    told += to_string(*now.last_fault);
  for (const auto& one : run.watcher->entries())
    told += one.pipeline + to_string(one.what.failure);
  return told;
}

/// Hands events on to a log as the program writes it, at its most talkative.
void log_everything(const pipeline_run& run) {
  log_observer log{{.log_level = "trace", .log_format = log_format::json}};
  for (const auto& one : run.watcher->entries())
    log.on_event(one.what);
}

} // namespace

TEST_CASE("a fault of the sink halts with everything that the sink told of it", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::transaction,
                        fault{.why = reason::sink_failed,
                              .at = lsn{200},
                              .facts = {fact{fact_kind::error_number, 28}}});
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  const auto why = run.halts();
  CHECK(why.why == reason::sink_failed);
  CHECK(why.at == lsn{200});
  CHECK(why.facts[0].value == 28);
  CHECK(run.server.confirmed() == lsn{100});
}

TEST_CASE("one part that fails takes the others with it", "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::transaction, reason::sink_failed);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  CHECK(run.halts().why == reason::sink_failed);
  CHECK(run.server.open_connections() == 0);
  CHECK(run.log->holds("sink gone"));
  run.server.send_transaction(300);
  CHECK(run.server.frames_unread() > 0);
}

TEST_CASE("a sink's fault that time cures brings the transaction again, to a new sink",
          "[actors][unit]") {
  pipeline_run run;
  run.ledger->plan.fail(sink_call::transaction, reason::connection_lost, 2);
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.status().reconnects == 1; }));
  run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return run.status().reconnects == 2; }));
  CHECK(run.server.confirmed() == lsn{100});
  run.server.send_transaction(200);
  CHECK(run.confirms(201));
  CHECK(run.ledger->sinks_made() == 3);
}

TEST_CASE("what a failed delivery had taken already is not acknowledged", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams<with_messages<recording_sink>>());
  run.ledger->plan.fail(sink_call::message, reason::sink_failed);
  auto frames = transaction_frames(200);
  frames.push_back(data_frame(lsn{300}, message_payload(false, lsn{300}, "p", "m")));
  run.server.send(frames);
  CHECK(run.halts().why == reason::sink_failed);
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200});
  CHECK(run.server.confirmed() == lsn{100});
  CHECK(run.status().transactions == 1); // Durable all the same.
}

TEST_CASE("an exception of the sink halts as sink_failed, and its text is never seen",
          "[actors][unit]") {
  const auto where = GENERATE(sink_call::make, sink_call::identity, sink_call::checkpoint,
                              sink_call::stream_start, sink_call::transaction, sink_call::frontier,
                              sink_call::message, sink_call::make_durable);
  CAPTURE(static_cast<int>(where));
  std::string printed;
  std::string told;
  reason why{};
  {
    const captured_output output{STDOUT_FILENO, STDERR_FILENO};
    pipeline_run run;
    run.ledger->hold({sink_memory::position, watermark::before(lsn{100})});
    run.ledger->plan.raise(where, secret);
    auto frames = transaction_frames(200);
    frames.push_back(data_frame(lsn{300}, message_payload(false, lsn{300}, secret, secret)));
    frames.push_back(keepalive_frame(lsn{500}, false));
    run.server.send(frames);
    run.start<every_capability>();
    why = run.halts().why;
    told = all_that_is_told(run);
    log_everything(run);
    printed = output.text();
  }
  CHECK(why == reason::sink_failed);
  CHECK_THAT(printed, Catch::Contains("sink_failed"));
  CHECK_THAT(printed, !Catch::Contains(secret));
  CHECK_THAT(told, !Catch::Contains(secret));
}

TEST_CASE("a crash of ours is forgiven three times, and its text is never seen", "[actors][unit]") {
  const auto where = GENERATE(source_call::make, source_call::connect, source_call::start,
                              source_call::next_frame, source_call::send);
  CAPTURE(static_cast<int>(where));
  std::string printed;
  std::string told;
  pipeline_status last;
  std::size_t losses = 0;
  {
    const captured_output output{STDOUT_FILENO, STDERR_FILENO};
    pipeline_run run;
    run.server.plan.raise(where, secret);
    run.start();
    static_cast<void>(run.reaches(pipeline_phase::halted));
    last = run.status();
    losses = run.watcher->all(event_kind::generation_lost).size();
    told = all_that_is_told(run);
    log_everything(run);
    printed = output.text();
  }
  CHECK(last.phase == pipeline_phase::halted);
  REQUIRE(last.last_fault);
  CHECK(last.last_fault->why == reason::crashed);
  CHECK(losses == 3);
  CHECK(last.reconnects == 3);
  CHECK_THAT(printed, Catch::Contains("crashed"));
  CHECK_THAT(printed, !Catch::Contains(secret));
  CHECK_THAT(told, !Catch::Contains(secret));
}

TEST_CASE("bytes that are not the protocol halt with the place where they stood",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send({data_frame(lsn{777}, "?")});
  const auto why = run.halts();
  CHECK(why.why == reason::decode_failure);
  CHECK(why.at == lsn{777});
}

TEST_CASE("a row of a table that was never announced halts with the table", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send({data_frame(lsn{200}, begin_payload(lsn{200}, 7)),
                   data_frame(lsn{190}, insert_payload(4242, {"1"}))});
  const auto why = run.halts();
  CHECK(why.why == reason::decode_failure);
  CHECK(why.at == lsn{190});
  CHECK(why.relation == 4242);
}

TEST_CASE("a frame that is neither data nor keepalive halts", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send({"z"});
  CHECK(run.halts().why == reason::decode_failure);
}

TEST_CASE("transactions before undecodable bytes are still delivered", "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.send({data_frame(lsn{777}, "?")});
  CHECK(run.halts().why == reason::decode_failure);
  CHECK(run.status().transactions == 1);
}

TEST_CASE("a pipeline that ends by a defect takes its parts with it and is told as halted",
          "[actors][unit]") {
  pipeline_run run;
  REQUIRE(run.streams());
  run.kill();
  REQUIRE(run.reaches(pipeline_phase::halted));
  CHECK(wait_until([&] { return run.server.open_connections() == 0; }));
  CHECK(wait_until([&] { return run.log->holds("sink gone"); }));
  const auto last = run.stop();
  REQUIRE(last.last_fault);
  CHECK(last.last_fault->why == reason::crashed);
}
