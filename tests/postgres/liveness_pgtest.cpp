// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <future>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

constexpr const char* who = " user=postgres dbname=postgres";

std::string through(const tcp_proxy& network) {
  return "host=127.0.0.1 port=" + std::to_string(network.port()) + who;
}

void make_table(const pg_cluster& server) {
  server.exec("CREATE TABLE t (id bigserial PRIMARY KEY, b text); CREATE PUBLICATION p FOR ALL "
              "TABLES");
}

/// More than the buffers between the walsender and us take.
void make_backlog(const pg_cluster& server) {
  server.exec("INSERT INTO t (b) SELECT repeat('x', 1000) FROM generate_series(1, 20000)");
}

/// Interrupts `source` while `blocked` runs in another thread. @returns how long that took.
template <class Blocked>
std::chrono::milliseconds interrupt_during(postgres_source& source, Blocked blocked,
                                           const std::function<bool()>& is_blocked) {
  auto running = std::async(std::launch::async, blocked);
  REQUIRE(wait_until(is_blocked));
  const auto begin = std::chrono::steady_clock::now();
  source.interrupt();
  REQUIRE(running.wait_for(std::chrono::seconds{20}) == std::future_status::ready);
  CHECK_FALSE(running.get());
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               begin);
}

} // namespace

TEST_CASE("an interrupt ends a connect to a silent server", "[postgres][interrupt]") {
  const pg_cluster server;
  tcp_proxy network{server.port()};
  network.stall();
  postgres_source source{options_for(through(network))};
  // The proxy's thread takes the connection even though it forwards nothing.
  const auto took = interrupt_during(
    source, [&source] { return source.connect().has_value(); },
    [&network] { return network.connections() == 1; });
  CHECK(took < std::chrono::seconds{1});
  // It stays interrupted.
  CHECK_FALSE(source.connect());
}

TEST_CASE("an interrupt ends a slot creation that waits, and no slot is made afterwards",
          "[postgres][interrupt]") {
  const pg_cluster server;
  auto old = server.client();
  old.exec("BEGIN; SELECT pg_current_xact_id()");
  auto client = server.client();
  {
    postgres_source source{options_for(server.conninfo())};
    REQUIRE(source.connect());
    const auto took = interrupt_during(
      source, [&source] { return source.create_slot().has_value(); },
      [&client] {
        return client.holds("SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = "
                            "'walsender' AND wait_event_type = 'Lock'");
      });
    CHECK(took < std::chrono::seconds{1});
  }
  // The server gives up while the old transaction is still open.
  CHECK(wait_until([&client] {
    return client.holds("SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = "
                        "'walsender'");
  }));
  old.exec("COMMIT");
  CHECK(client.value("SELECT count(*) FROM pg_replication_slots") == "0");
}

TEST_CASE("a fast stop is told while nobody reads, and does not wait for the stream",
          "[postgres][leaving]") {
  pg_cluster server;
  make_table(server);
  std::optional<streaming_source> stream{std::in_place, options_for(server.conninfo())};
  make_backlog(server);
  REQUIRE(stream->reader.wait());
  CHECK_FALSE(stream->source.server_is_leaving());
  server.ask_to_stop(stop_mode::fast);
  REQUIRE(stream->reader.wait(false));
  CHECK(stream->source.server_is_leaving());
  // It is not told again and again.
  CHECK_FALSE(stream->reader.wait(false, std::chrono::milliseconds{100}));
  CHECK(stream->source.server_is_leaving());
  stream.reset();
  CHECK(wait_until([&server] { return !server.running(); }, std::chrono::seconds{2}));
}

TEST_CASE("a fast stop of an idle stream is told as well", "[postgres][leaving]") {
  pg_cluster server;
  make_table(server);
  std::optional<streaming_source> stream{std::in_place, options_for(server.conninfo())};
  server.ask_to_stop(stop_mode::fast);
  CHECK(wait_until([&stream] {
    stream->reader.wait(true, std::chrono::milliseconds{100});
    stream->reader.drain();
    return stream->source.server_is_leaving();
  }));
  stream.reset();
  CHECK(wait_until([&server] { return !server.running(); }, std::chrono::seconds{2}));
}

TEST_CASE("an immediate stop is told by both sessions", "[postgres][leaving]") {
  pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  server.stop(stop_mode::immediate);
  CHECK(stream.source.server_is_leaving());
  const auto failure = stream.reader.read_to_the_end();
  REQUIRE(failure);
  CHECK(disposition_of(failure->why) == disposition::retry);
}

TEST_CASE("a companion that is ended is told", "[postgres][leaving]") {
  const pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  server.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
              "'replicant' AND backend_type = 'client backend'");
  REQUIRE(stream.reader.wait(false));
  CHECK(stream.source.server_is_leaving());
}

TEST_CASE("a terminated walsender ends the stream with its SQLSTATE", "[postgres][stream]") {
  const pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  server.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
  const auto failure = stream.reader.read_to_the_end();
  REQUIRE(failure);
  CHECK(failure->why == reason::server_unavailable);
  CHECK(failure->code.text() == "57P01");
}

TEST_CASE("what came before the end of a stream is delivered before its fault",
          "[postgres][stream]") {
  const pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  server.exec("INSERT INTO t (b) VALUES ('the_last_row')");
  REQUIRE(wait_until([&server] {
    return server.client().holds("SELECT sent_lsn = pg_current_wal_lsn() FROM pg_stat_replication");
  }));
  server.exec("SELECT pg_terminate_backend(pid) FROM pg_stat_replication");
  REQUIRE(wait_until(
    [&server] { return server.client().holds("SELECT count(*) = 0 FROM pg_stat_replication"); }));
  CHECK(stream.reader.read_to_the_end());
  CHECK(stream.reader.seen("the_last_row"));
}

TEST_CASE("a cut connection is lost, whether we read or rest", "[postgres][stream]") {
  const pg_cluster server;
  make_table(server);
  tcp_proxy network{server.port()};
  {
    streaming_source stream{options_for(through(network))};
    network.cut();
    const auto failure = stream.reader.read_to_the_end();
    REQUIRE(failure);
    CHECK(failure->why == reason::connection_lost);
    CHECK_FALSE(failure->code.known());
  }
  auto options = options_for(through(network));
  options.slot_name = "resting";
  streaming_source resting{options};
  make_backlog(server);
  REQUIRE(resting.reader.wait());
  network.cut();
  result<void> flushed;
  // The companion may be cut an instant earlier.
  CHECK(wait_until([&] {
    resting.reader.wait(false);
    static_cast<void>(resting.source.server_is_leaving());
    flushed = resting.source.flush();
    return !flushed;
  }));
  CHECK(flushed.error().why == reason::connection_lost);
}

TEST_CASE("who rests is not told of data, and finds it when reading goes on",
          "[postgres][stream]") {
  const pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  make_backlog(server);
  REQUIRE(stream.reader.wait());
  CHECK_FALSE(stream.reader.wait(false, std::chrono::milliseconds{150}));
  CHECK(stream.source.flush());
  REQUIRE(stream.reader.wait(true));
  REQUIRE(stream.reader.read_commit());
  CHECK(stream.reader.bytes() > std::size_t{20'000'000});
}

TEST_CASE("sending never blocks, and what is left is sent when the socket takes it",
          "[postgres][stream]") {
  const pg_cluster server;
  make_table(server);
  tcp_proxy network{server.port()};
  streaming_source stream{options_for(through(network))};
  network.stall();
  const auto begin = std::chrono::steady_clock::now();
  const auto frame = status_update(lsn{1});
  auto sent = true;
  for (std::size_t bytes = 0; sent && bytes < std::size_t{4'000'000}; bytes += frame.size())
    sent = stream.source.send(frame).has_value();
  CHECK(sent);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{20});
  // Only waiting bytes make a resting, idle stream speak up.
  CHECK_FALSE(stream.reader.wait(false, std::chrono::milliseconds{100}));
  network.forward();
  REQUIRE(stream.reader.wait(false));

  server.exec("INSERT INTO t (b) VALUES ('afterwards')");
  const auto last = server.client().value("SELECT pg_current_wal_lsn()");
  REQUIRE(stream.source.send(status_update(*parse_lsn(last))));
  CHECK(wait_until([&] {
    stream.reader.wait(true, std::chrono::milliseconds{20});
    stream.reader.drain();
    REQUIRE(stream.source.flush());
    return server.client().value("SELECT confirmed_flush_lsn FROM pg_replication_slots") == last;
  }));
}

TEST_CASE("an end in order frees the slot at once even with a backlog", "[postgres][finish]") {
  const pg_cluster server;
  make_table(server);
  streaming_source stream{options_for(server.conninfo())};
  server.exec("INSERT INTO t (b) VALUES ('first')");
  const auto commit = stream.reader.read_commit();
  REQUIRE(commit);
  make_backlog(server);
  REQUIRE(stream.reader.wait());
  const lsn confirmed{commit->value() + 1};
  REQUIRE(stream.source.send(status_update(confirmed)));
  stream.source.finish(std::chrono::seconds{10});
  auto client = server.client();
  CHECK(client.holds("SELECT active_pid IS NULL FROM pg_replication_slots"));
  CHECK(client.value("SELECT confirmed_flush_lsn FROM pg_replication_slots") ==
        to_string(confirmed));
  // The server ends an ordinary session when it gets to it.
  CHECK(wait_until([&] {
    return client.value("SELECT count(*) FROM pg_stat_activity WHERE application_name = "
                        "'replicant'") == "0";
  }));
}

TEST_CASE("the patience of an end is kept, though the connect chain was interrupted",
          "[postgres][finish]") {
  const pg_cluster server;
  make_table(server);
  const auto took = [&server](std::chrono::milliseconds patience, bool interrupted) {
    tcp_proxy network{server.port()};
    auto options = options_for(through(network));
    options.slot_name = interrupted ? "interrupted" : "patient";
    streaming_source stream{options};
    network.stall();
    if (interrupted)
      stream.source.interrupt();
    const auto begin = std::chrono::steady_clock::now();
    stream.source.finish(patience);
    return std::chrono::steady_clock::now() - begin;
  };
  for (const auto interrupted : {false, true}) {
    const auto patient = took(std::chrono::milliseconds{300}, interrupted);
    CHECK(patient >= std::chrono::milliseconds{300});
    CHECK(patient < std::chrono::seconds{2});
  }
}
