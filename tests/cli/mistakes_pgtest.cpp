// SPDX-License-Identifier: MIT
#include "replicant/core/model/fault.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/certificates.hpp"
#include "replicant/tests/support/permissions.hpp"
#include "replicant/tests/support/pooler.hpp"

#include <csignal>
#include <filesystem>

using namespace replicant::test;
using Catch::Matchers::Contains;
using replicant::explain;
using replicant::reason;

namespace {

/// Stands wherever a mistake can put it, and is told nowhere.
const std::string planted = "s3cr3t_planted";

/// The role, its database with a publication, and what each mistake takes away.
struct source {
  explicit source(std::vector<std::string> conf = {}, const std::string& hba = {})
    : server{{.conf = std::move(conf), .hba = hba}} {
    grant_permissions(server);
    server.client("shop").exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR "
                               "TABLE t");
  }

  [[nodiscard]] std::string conninfo(const std::string& more = {}) const {
    return server.conninfo("user=cdc dbname=shop " + more);
  }

  [[nodiscard]] std::string tcp(const std::string& more = {}) const {
    return server.tcp_conninfo("user=cdc dbname=shop " + more);
  }

  pg_cluster server;
};

constexpr const char* guarded = "local all postgres trust\n"
                                "local all all scram-sha-256\n"
                                "host all all 127.0.0.1/32 scram-sha-256\n";

std::string configuration(const temp_dir& folder, const std::string& conninfo) {
  return "[runtime]\nstate_dir = \"" + (folder / "state") +
         "\"\n[[pipeline]]\nname = \"shop\"\nslot_name = \"shop\"\npublication = \"p\"\n"
         "go_forward_only = true\n[pipeline.connection]\nconninfo = \"" +
         conninfo + "\"\n[pipeline.sink]\nkind = \"null\"\n";
}

/// Runs the program: it has to end with 1, and to say why and what to do on stderr, and the same
/// in the status that it leaves behind.
void check_halt(const std::string& conninfo, reason why) {
  INFO(to_string(why));
  const temp_dir folder;
  const auto file = write_in(folder, "r.toml", configuration(folder, conninfo));
  invocation running{folder, {"run", file}};
  CHECK(running.wait() == 1);
  const auto told = running.err();
  CHECK_THAT(told, Contains("shop: HALTED: " + std::string{to_string(why)}));
  CHECK_THAT(told, Contains(std::string{explain(why)}));
  const auto kept = run_program({"status", file});
  CHECK(kept.code == 1);
  CHECK_THAT(kept.out, Contains(std::string{explain(why)}));
  CHECK_THAT(told + kept.out + kept.err, !Contains(planted) && !Contains("WARNING"));
}

} // namespace

TEST_CASE("a server that cannot be streamed from halts the run with the cure", "[cli][mistakes]") {
  SECTION("wal_level") {
    const source from{{"wal_level = replica"}};
    check_halt(from.conninfo(), reason::wal_level_insufficient);
  }
  SECTION("slots") {
    const source from{{"max_replication_slots = 1"}};
    from.server.exec("SELECT pg_create_physical_replication_slot('taken')");
    check_halt(from.conninfo(), reason::slots_exhausted);
  }
  SECTION("a pooler") {
    const source from;
    const pooler front{from.server};
    check_halt(front.conninfo(), reason::pooler_in_front);
  }
}

TEST_CASE("a login that is refused halts the run with the cure", "[cli][mistakes]") {
  source from{{}, guarded};
  from.server.exec("ALTER ROLE cdc PASSWORD 'right'");
  check_halt(from.tcp("password=" + planted), reason::password_wrong);
  check_halt(from.tcp("passfile=/dev/null/none"), reason::password_missing);
  const temp_dir folder;
  const auto open_to_all = write_in(folder, "pgpass", "*:*:*:*:right\n");
  std::filesystem::permissions(open_to_all, std::filesystem::perms{0644});
  check_halt(from.tcp("passfile=" + open_to_all), reason::password_missing);
  check_halt(from.tcp("password=right sslmode=require"), reason::tls_unavailable);
  check_halt(from.server.tcp_conninfo("user=cdc password=right dbname=" + planted),
             reason::database_missing);
  from.server.authenticate("local all postgres trust\nhost all all 127.0.0.1/32 trust");
  from.server.reload();
  check_halt(from.server.tcp_conninfo("dbname=shop user=" + planted),
             reason::authentication_failed);
  check_halt(from.conninfo(), reason::authentication_failed);
}

TEST_CASE("a certificate that proves nothing halts the run with the cure", "[cli][mistakes]") {
  source from;
  const authority ours;
  const authority stranger;
  ours.equip(from.server);
  check_halt("host=localhost hostaddr=127.0.0.1 port=" + std::to_string(from.server.port()) +
               " user=cdc dbname=shop sslmode=verify-full sslrootcert=" + stranger.certificate(),
             reason::certificate_refused);
}

TEST_CASE("a right that is missing halts the run with the statement that gives it",
          "[cli][mistakes]") {
  const source from;
  from.server.exec("ALTER ROLE cdc NOREPLICATION");
  check_halt(from.conninfo(), reason::replication_right_missing);
  from.server.exec("ALTER ROLE cdc REPLICATION; REVOKE CONNECT ON DATABASE shop FROM PUBLIC, cdc");
  check_halt(from.conninfo(), reason::connect_right_missing);
  from.server.exec("GRANT CONNECT ON DATABASE shop TO cdc");
  from.server.client("shop").exec("ALTER PUBLICATION p RENAME TO other");
  check_halt(from.conninfo(), reason::publication_missing);
}

TEST_CASE("a publication that is younger than the slot's next change halts the run",
          "[cli][mistakes]") {
  const source from;
  auto owner = from.server.client("shop");
  owner.exec("SELECT pg_create_logical_replication_slot('shop', 'pgoutput')");
  owner.exec("DROP PUBLICATION p");
  owner.exec("INSERT INTO t VALUES (1)");
  owner.exec("CREATE PUBLICATION p FOR TABLE t");
  check_halt(from.conninfo(), reason::publication_too_new);
}

TEST_CASE("a server without room is tried again and says how to make some", "[cli][mistakes]") {
  const source from{{"max_wal_senders = 1"}};
  const sql_client other{from.server.conninfo("user=postgres dbname=shop replication=database")};
  const temp_dir folder;
  invocation running{folder,
                     {"run", write_in(folder, "r.toml", configuration(folder, from.conninfo()))}};
  CHECK(wait_until([&] {
    return running.err().find("connections_exhausted sqlstate=53300: " +
                              std::string{explain(reason::connections_exhausted)}) !=
           std::string::npos;
  }));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
}

TEST_CASE("a slot in use is told with who uses it", "[cli][mistakes]") {
  const source from{{"wal_sender_timeout = 1s"}};
  const temp_dir folder;
  const temp_dir elsewhere;
  invocation first{folder,
                   {"run", write_in(folder, "r.toml", configuration(folder, from.conninfo()))}};
  REQUIRE(wait_until(
    [&] { return from.server.client().value("SELECT active FROM pg_replication_slots") == "t"; }));
  const auto pid = from.server.client().value("SELECT active_pid FROM pg_replication_slots");
  invocation second{
    elsewhere, {"run", write_in(elsewhere, "r.toml", configuration(elsewhere, from.conninfo()))}};
  CHECK(second.wait() == 1);
  CHECK_THAT(second.err(), Contains("HALTED: slot_active pid=" + pid +
                                    " holder=replicant: another replicant holds the slot; "));
  first.signal(SIGTERM);
  CHECK(first.wait() == 0);
}

TEST_CASE("tables without replica identity are warned of and streamed all the same",
          "[cli][mistakes]") {
  const source from;
  auto owner = from.server.client("shop");
  owner.exec("CREATE TABLE keyless (id int); ALTER PUBLICATION p ADD TABLE keyless");
  const temp_dir folder;
  invocation running{folder,
                     {"run", write_in(folder, "r.toml", configuration(folder, from.conninfo()))}};
  REQUIRE(wait_until([&] { return running.err().find("streaming from") != std::string::npos; }));
  CHECK_THAT(running.err(), Contains("warning shop: the published table public.keyless has no "
                                     "replica identity"));
  CHECK_THAT(running.err(), Contains("`ALTER TABLE public.keyless REPLICA IDENTITY FULL;`"));
  owner.exec("INSERT INTO keyless VALUES (1)");
  REQUIRE(wait_until([&] {
    return from.server.client().holds("SELECT confirmed_flush_lsn >= pg_current_wal_lsn() FROM "
                                      "pg_replication_slots");
  }));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK_THAT(running.out(), Contains("1 transactions, 1 rows"));
}
