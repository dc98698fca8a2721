// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/conninfo.hpp"
#include "replicant/core/model/session_settings.hpp"
#include "replicant/tests/support/environment.hpp"
#include "replicant/tests/support/temp_dir.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace replicant;
using namespace replicant::postgres;
using namespace replicant::test;

namespace {

std::vector<parameters> candidates_of(const std::string& text,
                                      session_kind kind = session_kind::replication) {
  const auto parsed = conninfo::parse(text);
  REQUIRE(parsed);
  return parsed->candidates(kind);
}

std::string ours() {
  std::string options;
  for (const auto& setting : pinned_settings)
    if (setting.since_version == 0 && setting.name != "client_encoding")
      options.append(" -c ").append(setting.name).append("=").append(setting.value);
  return options;
}

} // namespace

TEST_CASE("a keyword string and a URI mean the same", "[conninfo][unit]") {
  const environment clean;
  const auto keywords =
    candidates_of(R"(host=db1 port=5433 user=cdc dbname=shop password='p @:/?#[]%41+\'"\\é')");
  const auto uri = candidates_of(
    "postgresql://cdc:p%20%40%3A%2F%3F%23%5B%5D%2541%2B%27%22%5C%C3%A9@db1:5433/shop");
  REQUIRE(keywords.size() == 1);
  CHECK(keywords == uri);
  CHECK(keywords[0].at("password") == R"(p @:/?#[]%41+'"\é)");
}

TEST_CASE("a session for the stream and an ordinary one differ in one parameter",
          "[conninfo][unit]") {
  const environment clean;
  auto stream = candidates_of("host=h replication=true")[0];
  const auto ordinary = candidates_of("host=h replication=true", session_kind::ordinary)[0];
  CHECK(stream.at("replication") == "database");
  CHECK(stream.at("client_encoding") == "UTF8");
  CHECK(stream.at("fallback_application_name") == "replicant");
  stream.erase("replication");
  CHECK(stream == ordinary);
}

TEST_CASE("the user's own options stay, and ours follow them", "[conninfo][unit]") {
  environment changed;
  CHECK(candidates_of("host=h options='-c geqo=off'")[0].at("options") == "-c geqo=off" + ours());
  changed.set("PGOPTIONS", "-c work_mem=5MB");
  CHECK(candidates_of("host=h")[0].at("options") == "-c work_mem=5MB" + ours());

  const temp_dir folder;
  std::ofstream{folder / "services"} << "[shop]\nhost=h\noptions=-c jit=off\nport=77\n";
  changed.set("PGSERVICEFILE", folder / "services");
  const auto by_service = candidates_of("service=shop")[0];
  CHECK(by_service.at("options") == "-c jit=off" + ours());
  CHECK(by_service.at("port") == "77");
  CHECK(by_service.at("service") == "shop");
}

TEST_CASE("without options of the user ours stand alone", "[conninfo][unit]") {
  const environment clean;
  CHECK(" " + candidates_of("host=h")[0].at("options") == ours());
}

TEST_CASE("several hosts are several candidates, each with its own address and port",
          "[conninfo][unit]") {
  const environment clean;
  const auto all = candidates_of("host=a,b,c hostaddr=10.0.0.1,10.0.0.2,::1 port=1,2,3");
  REQUIRE(all.size() == 3);
  CHECK(all[1].at("host") == "b");
  CHECK(all[1].at("hostaddr") == "10.0.0.2");
  CHECK(all[1].at("port") == "2");
  CHECK(all[2].at("hostaddr") == "::1");

  const auto one_port = candidates_of("postgresql://u@[::1],/x/db?host=[::1],b&port=7");
  REQUIRE(one_port.size() == 2);
  CHECK(one_port[0].at("port") == "7");
  CHECK(one_port[1].at("port") == "7");
}

TEST_CASE("prefer-standby tries all hosts as a standby, then all as they are", "[conninfo][unit]") {
  const environment clean;
  const auto all = candidates_of("host=a,b target_session_attrs=prefer-standby");
  REQUIRE(all.size() == 4);
  CHECK(all[1].at("host") == "b");
  CHECK(all[1].at("target_session_attrs") == "standby");
  CHECK(all[2].at("host") == "a");
  CHECK(all[2].at("target_session_attrs") == "any");
  CHECK(candidates_of("host=a,b target_session_attrs=primary")[1].at("target_session_attrs") ==
        "primary");
  CHECK(candidates_of("host=a target_session_attrs=prefer-standby").size() == 1);
}

TEST_CASE("time-outs that the user gave are kept", "[conninfo][unit]") {
  const environment clean;
  CHECK(candidates_of("host=h")[0].at("keepalives_idle") == "30");
  CHECK(candidates_of("host=h keepalives_idle=7")[0].at("keepalives_idle") == "7");
  CHECK(conninfo::parse("host=h")->connect_timeout() == std::chrono::seconds{10});
  CHECK(conninfo::parse("host=h connect_timeout=3")->connect_timeout() == std::chrono::seconds{3});
  CHECK(conninfo::parse("host=h connect_timeout=0")->connect_timeout() == std::chrono::seconds{0});
}

TEST_CASE("what libpq would refuse is refused before any connect", "[conninfo][unit]") {
  const environment clean;
  for (const auto* text :
       {"hots=h", "host=h sslmode=perhaps", "host=h port=abc", "host=h port=99999", "host='h",
        "host=a,b,c port=1,2", "host=a,b hostaddr=10.0.0.1", "postgresql://u@h:x/",
        "host=h target_session_attrs=sometimes", "service=nosuchservice",
        "host=h channel_binding=maybe"}) {
    INFO(text);
    const auto parsed = conninfo::parse(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().why == reason::command_failed);
  }
}

TEST_CASE("a password file that libpq would not read is left out", "[conninfo][unit]") {
  environment changed;
  const temp_dir folder;
  const auto file = folder / ".pgpass";
  std::ofstream{file} << "*:*:*:*:unused\n";
  changed.set("HOME", folder / "");
  const auto passfile = [](const std::string& text) {
    const auto one = candidates_of(text)[0];
    const auto found = one.find("passfile");
    return found == one.end() ? "as libpq has it" : found->second;
  };
  const auto allow = [&file](std::filesystem::perms mode) {
    std::filesystem::permissions(file, mode);
  };
  using enum std::filesystem::perms;
  allow(owner_read | owner_write);
  CHECK(passfile("host=h") == "as libpq has it");
  CHECK(passfile("host=h passfile=" + file) == file);
  CHECK(passfile("host=h passfile=" + (folder / "missing")) == folder / "missing");
  for (const auto others : {group_read, others_read}) {
    allow(owner_read | owner_write | others);
    CHECK(passfile("host=h") == "/dev/null/none");
    CHECK(passfile("host=h passfile=" + file) == "/dev/null/none");
  }
  CHECK(passfile("host=h passfile=" + (folder / "")) == "/dev/null/none");
}

TEST_CASE("the keyword whose value libpq does not take is told", "[conninfo][unit]") {
  const environment clean;
  const auto refused = [](const std::string& text) {
    return conninfo::refused_keyword(text).value_or("none");
  };
  CHECK(refused("host=h sslmode=perhaps") == "sslmode");
  CHECK(refused("postgresql://u@h/d?port=abc") == "port");
  CHECK(refused("host=a,b,c port=1,2") == "port");
  CHECK(refused("host=h target_session_attrs=sometimes") == "target_session_attrs");
  CHECK(refused("host=h service=nosuchservice") == "service");
  CHECK(refused("sslmode=perhaps port=abc host=h") == "port");
  CHECK(refused("hots=h") == "none");
  environment changed;
  changed.set("PGSSLMODE", "perhaps");
  CHECK(refused("host=h") == "none");
}

TEST_CASE("the keywords of libpq are known", "[conninfo][unit]") {
  const auto known = conninfo::keywords();
  for (const auto* keyword : {"host", "sslmode", "passfile", "service"})
    CHECK(std::ranges::count(known, keyword) == 1);
}
