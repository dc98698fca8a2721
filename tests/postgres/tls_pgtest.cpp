// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_fixture.hpp"
#include "replicant/tests/support/certificates.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/tcp_proxy.hpp"

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

struct tls_server {
  tls_server() {
    ours.equip(server);
    server.exec("CREATE TABLE t (id int PRIMARY KEY, b text); ALTER TABLE t ALTER b SET STORAGE "
                "EXTERNAL; CREATE PUBLICATION p FOR ALL TABLES");
  }

  [[nodiscard]] std::string at(const std::string& host, int port, const std::string& ca) const {
    return "host=" + host + " hostaddr=127.0.0.1 port=" + std::to_string(port) +
           " user=postgres dbname=postgres sslmode=verify-full sslrootcert=" + ca;
  }

  authority ours;
  pg_cluster server;
};

} // namespace

TEST_CASE("a verified TLS stream tells of every frame, whatever the sizes", "[postgres][tls]") {
  const tls_server tls;
  const environment clean;
  streaming_source stream{
    options_for(tls.at("localhost", tls.server.port(), tls.ours.certificate()))};
  CHECK(tls.server.client().value("SELECT count(*) FROM pg_stat_ssl WHERE ssl") == "2");
  for (const auto size : {1, 8'100, 8'192, 16'300, 16'384, 16'385, 40'000, 1'000'000}) {
    tls.server.exec("INSERT INTO t SELECT coalesce(max(id), 0) + 1, repeat('x', " +
                    std::to_string(size) + ") FROM t");
    // No clock helps here: a byte left inside the TLS layer would be waited for in vain.
    const auto before = stream.reader.bytes();
    while (stream.reader.bytes() < before + static_cast<std::size_t>(size)) {
      REQUIRE(stream.reader.wait());
      stream.reader.drain();
      REQUIRE_FALSE(stream.reader.failure());
    }
    REQUIRE(stream.reader.read_commit());
  }
}

TEST_CASE("a certificate that does not prove the host is refused for good", "[postgres][tls]") {
  const tls_server tls;
  const authority stranger;
  const environment clean;
  const auto port = tls.server.port();
  const auto why = [](const std::string& conninfo) { return connect_failure(conninfo).why; };
  CHECK(why(tls.at("localhost", port, stranger.certificate())) == reason::certificate_refused);
  CHECK(why(tls.at("otherhost", port, tls.ours.certificate())) == reason::certificate_refused);
  CHECK(why(tls.at("localhost", port, "/nowhere.crt")) == reason::certificate_refused);
  CHECK(why(tls.server.tcp_conninfo("user=postgres dbname=postgres sslmode=disable")) ==
        reason::authentication_failed);
}

TEST_CASE("a TLS connection that breaks is not taken for a refusal", "[postgres][tls]") {
  const tls_server tls;
  const environment clean;
  tcp_proxy network{tls.server.port()};
  network.refuse(true);
  CHECK(connect_failure(tls.at("localhost", network.port(), tls.ours.certificate())).why ==
        reason::server_unavailable);
}
