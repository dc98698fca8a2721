// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/wait_until.hpp"

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

void make_table(const pg_cluster& server) {
  server.exec("CREATE TABLE t (id bigserial PRIMARY KEY); CREATE PUBLICATION p FOR ALL TABLES");
}

/// Asks until there is an answer, waiting as the connection does: until it is called. @returns
/// nothing when no answer came.
std::optional<slot_standing> answer_of(streaming_source& stream) {
  std::optional<slot_standing> answer;
  static_cast<void>(wait_until([&] {
    stream.source.ask_of_slot(); // Nothing while an answer is awaited, perhaps one that is refused.
    stream.reader.drain();
    CHECK_FALSE(stream.source.server_is_leaving());
    answer = stream.source.slot_answer();
    if (!answer)
      stream.reader.wait(true, std::chrono::milliseconds{200});
    return answer.has_value();
  }));
  return answer;
}

/// Waits until new sessions and old ones see the setting.
void set(pg_cluster& server, const std::string& name, const std::string& value) {
  server.configure(name + " = '" + value + "'");
  server.reload();
  auto session = server.client();
  REQUIRE(wait_until([&] { return session.value("SHOW " + name) == value; }));
}

/// What the slot holds back as the server itself says it.
std::uint64_t retained(const pg_cluster& server) {
  return std::stoull(server.client().value(
    "SELECT pg_current_wal_lsn() - restart_lsn FROM pg_replication_slots WHERE slot_name = 's'"));
}

} // namespace

TEST_CASE("what a slot holds back is asked beside its stream", "[postgres][slot]") {
  pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  const auto before = retained(server);
  const auto unlimited = answer_of(stream);
  const auto after = retained(server);
  REQUIRE(unlimited);
  CHECK(unlimited->wal_status == slot_wal_status::reserved);
  CHECK(unlimited->retained_bytes >= before);
  CHECK(unlimited->retained_bytes <= after);
  CHECK_FALSE(unlimited->limit_bytes);
  CHECK_FALSE(unlimited->safe_bytes);

  set(server, "max_slot_wal_keep_size", "64MB");
  REQUIRE(wait_until([&] {
    const auto limited = answer_of(stream);
    return limited && limited->limit_bytes == 64 * mib && limited->safe_bytes > 32 * mib;
  }));
  // The server keeps the larger of the two.
  set(server, "wal_keep_size", "128MB");
  CHECK(wait_until([&] {
    const auto limited = answer_of(stream);
    return limited && limited->limit_bytes == 128 * mib;
  }));
  // The stream is as it was.
  server.exec("INSERT INTO t DEFAULT VALUES");
  CHECK(stream.reader.read_commit());
}

TEST_CASE("an answer is told once, and a question is not asked before it", "[postgres][slot]") {
  const pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  CHECK_FALSE(stream.source.slot_answer());
  stream.source.ask_of_slot();
  REQUIRE(answer_of(stream));
  CHECK_FALSE(stream.source.slot_answer());
}

TEST_CASE("a server that does not let us look at the slot is asked in vain, and streams on",
          "[postgres][slot]") {
  const pg_cluster server;
  make_table(server);
  server.exec("CREATE ROLE cdc LOGIN REPLICATION; "
              "REVOKE EXECUTE ON FUNCTION pg_wal_lsn_diff FROM PUBLIC");
  streaming_source stream{options_for(server.conninfo("user=cdc dbname=postgres"))};
  for (int attempt = 0; attempt < 2; ++attempt) {
    stream.source.ask_of_slot();
    CHECK(stream.reader.wait(true));
    CHECK_FALSE(stream.source.server_is_leaving());
    CHECK_FALSE(stream.source.slot_answer());
  }
  server.exec("GRANT EXECUTE ON FUNCTION pg_wal_lsn_diff TO PUBLIC");
  CHECK(answer_of(stream));
  server.exec("INSERT INTO t DEFAULT VALUES");
  CHECK(stream.reader.read_commit());
}

TEST_CASE("a server that shuts down while it is asked is noticed", "[postgres][slot]") {
  pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  // The question waits for what another session holds, as long as the server lets it.
  auto holder = server.client();
  holder.exec("BEGIN; LOCK pg_catalog.pg_proc IN ACCESS EXCLUSIVE MODE");
  stream.source.ask_of_slot();
  server.ask_to_stop(stop_mode::fast);
  CHECK(wait_until([&] {
    stream.reader.wait(false, std::chrono::milliseconds{200});
    static_cast<void>(stream.source.slot_answer());
    return stream.source.server_is_leaving();
  }));
}
