// SPDX-License-Identifier: MIT
#include "replicant/actors/log_observer.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <sstream>

using namespace replicant;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

/// What `body` writes to standard error; it runs in a child process.
std::string logged(const std::function<void()>& body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const auto child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    _exit(0);
  }
  close(ends[1]);
  std::string all;
  char bytes[4096];
  for (ssize_t got = 0; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
    all.append(bytes, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  return all;
}

std::string logged(log_format format, const std::string& level,
                   const std::vector<telemetry_event>& events) {
  return logged([&] {
    log_observer log{{.log_level = level, .log_format = format}};
    for (const auto& one : events)
      log.on_event(one);
  });
}

telemetry_event halt() {
  return {.kind = event_kind::halted,
          .pipeline = "shop",
          .failure = {.why = reason::sink_failed,
                      .at = lsn{0x16E3778},
                      .code = sqlstate{"53100"},
                      .facts = {{{fact_kind::error_number, ENOSPC}, {}}}}};
}

constexpr auto kinds = event_kind_count;

std::vector<telemetry_event> every_kind() {
  std::vector<telemetry_event> all;
  for (std::uint8_t i = 0; i < kinds; ++i)
    all.push_back({.kind = static_cast<event_kind>(i),
                   .pipeline = "shop",
                   .position = lsn{0x16E3778},
                   .count = 150018,
                   .delay = std::chrono::milliseconds{1500}});
  return all;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

} // namespace

TEST_CASE("a halt is told with its reason, its place and its cure", "[actors][unit]") {
  const auto text = logged(log_format::text, "info", {halt()});
  CHECK_THAT(text, Contains("Z error   shop: HALTED: sink_failed at=0/16E3778 sqlstate=53100"));
  CHECK_THAT(text, Contains(explain(halt().failure)));
  CHECK_THAT(text, Contains("(No space left on device)"));
  CHECK(lines_of(text).size() == 1);
}

TEST_CASE("as JSON every event is one object with its fields in order", "[actors][unit]") {
  const auto lines = lines_of(logged(log_format::json, "trace", every_kind()));
  REQUIRE(lines.size() == kinds);
  for (std::uint8_t i = 0; i < kinds; ++i) {
    const auto object = nlohmann::ordered_json::parse(lines[i]);
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items())
      names.push_back(name);
    REQUIRE(names.size() >= 4);
    names.resize(4);
    CHECK(names == std::vector<std::string>{"time", "level", "pipeline", "event"});
    CHECK(object.at("pipeline") == "shop");
    CHECK(object.at("event") == to_string(static_cast<event_kind>(i)));
  }
}

TEST_CASE("as JSON a failure has its parts in fields", "[actors][unit]") {
  const auto object = nlohmann::json::parse(logged(log_format::json, "info", {halt()}));
  CHECK(object.at("level") == "error");
  CHECK(object.at("reason") == "sink_failed");
  CHECK(object.at("sqlstate") == "53100");
  CHECK(object.at("fault_position") == "0/16E3778");
  CHECK(object.at("explanation") == explain(halt().failure));
  CHECK(object.at("system_error") == "No space left on device");
}

TEST_CASE("a name cannot forge a line", "[actors][unit]") {
  const auto lines = lines_of(
    logged(log_format::json, "info",
           {{.kind = event_kind::connecting, .pipeline = "a\"\n{\"event\":\"halted\"}\xff{}"}}));
  REQUIRE(lines.size() == 1);
  CHECK(nlohmann::json::parse(lines[0]).at("event") == "connecting");
}

TEST_CASE("a table without identity is told with the statement that cures it", "[actors][unit]") {
  const std::vector<telemetry_event> events{
    {.kind = event_kind::identity_missing, .pipeline = "shop", .table = "public.\"a\nb\""},
    {.kind = event_kind::identity_missing, .pipeline = "shop", .count = 3}};
  const auto text = lines_of(logged(log_format::text, "info", events));
  REQUIRE(text.size() == 2);
  CHECK_THAT(text[0], Contains("shop: the published table public.\"a?b\" has no replica identity"));
  CHECK_THAT(text[0], Contains("`ALTER TABLE public.\"a?b\" REPLICA IDENTITY FULL;`"));
  CHECK_THAT(text[1], Contains("shop: 3 more published tables"));
  const auto json = lines_of(logged(log_format::json, "info", events));
  REQUIRE(json.size() == 2);
  CHECK(nlohmann::json::parse(json[0]).at("cure") ==
        "ALTER TABLE public.\"a\nb\" REPLICA IDENTITY FULL;");
  CHECK(nlohmann::json::parse(json[1]).at("tables") == 3);
}

TEST_CASE("a level leaves out what is below it", "[actors][unit]") {
  CHECK(lines_of(logged(log_format::text, "trace", every_kind())).size() == kinds);
  CHECK(lines_of(logged(log_format::text, "debug", every_kind())).size() == kinds - 5);
  CHECK(lines_of(logged(log_format::text, "info", every_kind())).size() == kinds - 10);
  CHECK(lines_of(logged(log_format::text, "warn", every_kind())).size() == 8);
  CHECK(lines_of(logged(log_format::text, "error", every_kind())).size() == 1);
}

TEST_CASE("what becomes durable is told with its size and its time", "[actors][unit]") {
  const std::vector<telemetry_event> events{{.kind = event_kind::made_durable,
                                             .pipeline = "shop",
                                             .position = lsn{0x16E3778},
                                             .count = 2,
                                             .changes = 30,
                                             .bytes = 400,
                                             .duration = std::chrono::microseconds{1500}}};
  CHECK_THAT(logged(log_format::text, "trace", events),
             EndsWith("shop: 2 transactions, 30 rows, 400 bytes are durable in 1500 us, up to "
                      "0/16E3778\n"));
  const auto object = nlohmann::json::parse(logged(log_format::json, "trace", events));
  CHECK(object.at("transactions") == 2);
  CHECK(object.at("changes") == 30);
  CHECK(object.at("bytes") == 400);
  CHECK(object.at("duration_us") == 1500);
  CHECK(object.at("position") == "0/16E3778");
}

TEST_CASE("a slot at risk is told with its numbers and its cure", "[actors][unit]") {
  const slot_standing slot{.wal_status = slot_wal_status::extended,
                           .retained_bytes = std::uint64_t{45} << 20U,
                           .safe_bytes = 7,
                           .limit_bytes = std::uint64_t{64} << 20U};
  const std::vector<telemetry_event> events{
    {.kind = event_kind::slot_at_risk, .pipeline = "shop", .slot = &slot}};
  CHECK_THAT(logged(log_format::text, "warn", events),
             Contains("warning shop: the slot holds back 45.0 MiB of WAL, and the server keeps "
                      "64.0 MiB for it, then gives it up (wal_status extended); see") &&
               Contains("`ALTER SYSTEM SET max_slot_wal_keep_size = '<size>'; SELECT "
                        "pg_reload_conf();`"));
  const auto object = nlohmann::json::parse(logged(log_format::json, "warn", events));
  CHECK(object.at("retained_bytes") == slot.retained_bytes);
  CHECK(object.at("limit_bytes") == 67108864);
  CHECK(object.at("safe_wal_size") == 7);
  CHECK(object.at("wal_status") == "extended");
  CHECK(object.at("cure") == "ALTER SYSTEM SET max_slot_wal_keep_size = '<size>'; SELECT "
                             "pg_reload_conf();");
}

TEST_CASE("a transaction that spills for long is one line, and every step of it at debug",
          "[actors][unit]") {
  std::vector<telemetry_event> events{{.kind = event_kind::spilled,
                                       .pipeline = "shop",
                                       .count = 1,
                                       .bytes = std::uint64_t{16} << 20U}};
  for (int i = 0; i < 1000; ++i)
    events.push_back(
      {.kind = event_kind::spilled, .pipeline = "shop", .bytes = std::uint64_t{3} << 20U});
  const auto info = lines_of(logged(log_format::text, "info", events));
  REQUIRE(info.size() == 1);
  CHECK_THAT(info[0], EndsWith("info    shop: 1 transaction more outgrew memory while open, and "
                               "16.0 MiB went to disk; they go on there until they end"));
  const auto debug = lines_of(logged(log_format::json, "debug", events));
  REQUIRE(debug.size() == 1001);
  const auto first = nlohmann::json::parse(debug.front());
  CHECK(first.at("level") == "info");
  CHECK(first.at("transactions") == 1);
  CHECK(first.at("bytes") == 16 << 20);
  const auto last = nlohmann::json::parse(debug.back());
  CHECK(last.at("level") == "debug");
  CHECK(last.at("transactions") == 0);
  CHECK(last.at("bytes") == 3 << 20);
}

TEST_CASE("what ends or halts open transactions is told with its numbers", "[actors][unit]") {
  const std::vector<telemetry_event> events{
    {.kind = event_kind::rolled_back, .pipeline = "shop", .count = 2},
    {.kind = event_kind::spill_exhausted,
     .pipeline = "shop",
     .failure = {.why = reason::spill_exhausted},
     .bytes = std::uint64_t{8} << 30U}};
  const auto text = lines_of(logged(log_format::text, "debug", events));
  REQUIRE(text.size() == 2);
  CHECK_THAT(text[0], EndsWith("debug   shop: rolled back while they were taken: 2 transactions"));
  CHECK_THAT(text[1], EndsWith("warning shop: open transactions outgrew memory, and would outgrow "
                               "the 8.0 GiB that they may have on disk"));
  const auto json = lines_of(logged(log_format::json, "debug", events));
  REQUIRE(json.size() == 2);
  CHECK(nlohmann::json::parse(json[0]).at("transactions") == 2);
  CHECK(nlohmann::json::parse(json[1]).at("limit") == std::uint64_t{8} << 30U);
}

TEST_CASE("a tail that was cut is told with its bytes", "[actors][unit]") {
  const telemetry_event cut{.kind = event_kind::tail_cut, .pipeline = "shop", .count = 7};
  CHECK_THAT(logged(log_format::text, "info", {cut}), Contains("info    shop: cut 7 bytes off"));
  CHECK_THAT(logged(log_format::json, "info", {cut}), Contains(R"("bytes":7)"));
}

TEST_CASE("a pipeline that never connected stops without a position", "[actors][unit]") {
  const telemetry_event never{.kind = event_kind::stopped, .pipeline = "shop"};
  CHECK_THAT(logged(log_format::text, "info", {never}), EndsWith("shop: stopped\n"));
  auto later = never;
  later.position = lsn{0x16E3778};
  CHECK_THAT(logged(log_format::text, "info", {later}),
             EndsWith("shop: stopped, acknowledged 0/16E3778\n"));
}

TEST_CASE("progress and the program's own events are logged too", "[actors][unit]") {
  const auto text = logged([] {
    log_observer log{{}};
    log.on_progress({.pipeline = "shop",
                     .transactions_per_second = 0.25,
                     .changes_per_second = 48210.7,
                     .lag_bytes = 1536,
                     .lag = std::chrono::seconds{3},
                     .paced = true});
    log.on_program(program_event::at_least_once, "shop");
    log.on_program(program_event::stop_requested, {});
    log.on_program(program_event::state_not_written, "shop");
  });
  CHECK_THAT(text,
             Contains("shop: 0.2 transactions/s, 48210 rows/s, lag 1.5 KiB, 3 s, waiting for the "
                      "sink\n"));
  CHECK_THAT(text, Contains("info    shop: standard output gets every transaction at least once"));
  CHECK_THAT(text, Contains("info    stopping as asked"));
  CHECK_THAT(text, Contains("warning shop: its halt could not be written"));
}

TEST_CASE("lines go whole to whoever takes them, and then to nobody else", "[actors][unit]") {
  std::vector<std::string> taken;
  const auto on_stderr = logged([&taken] {
    {
      log_observer log{{}, [&taken](std::string_view line) { taken.emplace_back(line); }};
      log.on_event(halt());
      log.on_program(program_event::started, {});
    }
    if (taken.size() != 2 || !taken[0].ends_with("\n") ||
        taken[0].find("HALTED") == std::string::npos || !taken[1].ends_with("running\n"))
      _exit(1);
  });
  CHECK(on_stderr.empty());
}

TEST_CASE("nobody reading standard error holds nobody up", "[actors][unit]") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const auto child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    log_observer log{{}};
    // Far more than the pipe and the queue hold.
    for (int i = 0; i < 20'000; ++i)
      log.on_event(halt());
    _exit(0);
  }
  // Without the guarantee the child never ends, and the alarm ends this test.
  alarm(60);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  alarm(0);
  CHECK(status == 0);
  close(ends[0]);
  close(ends[1]);
}
