// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/failpoint.hpp"
#include "replicant/tests/postgres/stream_fixture.hpp"

#include <algorithm>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

TEST_CASE("a slot is made, streamed from, acknowledged and released", "[postgres][source]") {
  const pg_cluster server;
  server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
  postgres_source source{options_for(server.conninfo())};

  const auto facts = source.connect();
  REQUIRE(facts);
  CHECK(facts->identity.system_identifier ==
        server.client().value("SELECT system_identifier FROM pg_control_system()"));
  CHECK(facts->identity.timeline == 1);
  CHECK(facts->identity.database == "postgres");
  CHECK(facts->identity.slot_name == "s");
  CHECK(facts->server_version / 10000 == static_cast<unsigned>(server.major()));
  CHECK(facts->wal_sender_timeout == std::chrono::seconds{60});
  CHECK(facts->publications_exist);
  CHECK_FALSE(facts->slot);

  const auto point = source.create_slot();
  REQUIRE(point);
  REQUIRE(source.start(*point, false));
  server.exec("INSERT INTO t VALUES (7)");
  stream_reader reader{source};
  const auto commit = reader.read_commit();
  REQUIRE(commit);
  CHECK(reader.seen("7"));

  REQUIRE(source.send(status_update(lsn{commit->value() + 1})));
  source.finish(std::chrono::seconds{5});
  // No waiting here: the slot is free and moved as soon as `finish` returns.
  auto client = server.client();
  CHECK(client.holds("SELECT active_pid IS NULL FROM pg_replication_slots"));
  CHECK(client.value("SELECT confirmed_flush_lsn FROM pg_replication_slots") ==
        to_string(lsn{commit->value() + 1}));
}

TEST_CASE("a large transaction comes while it is open, where that was asked for",
          "[postgres][source]") {
  const pg_cluster server{{.conf = {"logical_decoding_work_mem = '64kB'"}, .hba = {}}};
  server.exec("CREATE TABLE t (id int PRIMARY KEY, note text); CREATE PUBLICATION p FOR TABLE t");
  const auto options = [&server](const char* slot) {
    auto one = options_for(server.conninfo());
    one.slot_name = slot;
    return one;
  };
  streaming_source open{options("open"), true};
  streaming_source committed{options("committed")};
  auto writer = server.client();
  writer.exec("BEGIN");
  writer.exec("INSERT INTO t SELECT g, repeat('x', 1000) FROM generate_series(1, 500) g");
  REQUIRE(open.reader.read_message('E'));
  CHECK(open.reader.tags().starts_with("SRI"));
  writer.exec("COMMIT");
  REQUIRE(open.reader.read_message('c'));
  CHECK(open.reader.tags().find_first_of("BC") == std::string::npos);
  CHECK(std::ranges::count(open.reader.tags(), 'I') == 500);
  REQUIRE(committed.reader.read_message('C'));
  CHECK(committed.reader.tags() == "BR" + std::string(500, 'I') + "C");
}

TEST_CASE("a source that was never connected or started fails instead of crashing",
          "[postgres][source]") {
  postgres_source source{options_for("host=/nowhere")};
  CHECK_FALSE(source.create_slot());
  CHECK_FALSE(source.start(lsn{}, false));
  CHECK_FALSE(source.next_frame());
  CHECK_FALSE(source.send("x"));
  CHECK_FALSE(source.flush());
  CHECK_FALSE(source.server_is_leaving());
  source.finish(std::chrono::seconds{1});
}

#ifdef REPLICANT_FAILPOINTS

namespace {

failpoint failing{};

/// Lets one failure point of the process fail while it lives.
struct failing_point {
  explicit failing_point(failpoint point) {
    failing = point;
    set_failpoint_hook([](failpoint reached) { return reached == failing ? 5 : 0; });
  }

  failing_point(const failing_point&) = delete;
  failing_point& operator=(const failing_point&) = delete;

  ~failing_point() { set_failpoint_hook(nullptr); }
};

} // namespace

TEST_CASE("failure points of the source look like a lost connection", "[postgres][source]") {
  const pg_cluster server;
  server.exec("CREATE PUBLICATION p FOR ALL TABLES");
  const auto slots = [&server] {
    return server.client().value("SELECT count(*) FROM pg_replication_slots");
  };
  const auto create = [&server](failpoint point) {
    postgres_source source{options_for(server.conninfo())};
    REQUIRE(source.connect());
    const failing_point armed{point};
    const auto made = source.create_slot();
    REQUIRE_FALSE(made);
    CHECK(made.error().why == reason::connection_lost);
  };
  create(failpoint::before_slot_creation);
  CHECK(slots() == "0");
  create(failpoint::after_slot_creation);
  CHECK(slots() == "1");

  postgres_source source{options_for(server.conninfo())};
  REQUIRE(source.connect());
  const failing_point armed{failpoint::before_stream};
  const auto started = source.start(lsn{}, false);
  REQUIRE_FALSE(started);
  CHECK(started.error().why == reason::connection_lost);
}

#endif
