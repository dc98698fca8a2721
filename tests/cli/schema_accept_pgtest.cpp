// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/accepted_changes.hpp"
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/cli/halt_record.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

constexpr std::uint64_t fingerprint = 0x00C0FFEE00C0FFEE;
const std::string as_typed = "00c0ffee00c0ffee";

/// What a sink that follows no change of a table halts with.
pipeline_status refused_change(const std::string& name) {
  pipeline_status one{.name = name, .slot_name = name, .phase = pipeline_phase::halted};
  one.phase_since = timestamp{837'338'400'123'456};
  one.acknowledged = lsn{0x16E3779};
  one.durable = watermark::through(lsn{0x16E3778});
  one.last_fault =
    fault{.why = reason::schema_change_destructive,
          .at = lsn{0x16E4000},
          .relation = 16384,
          .facts = {{{fact_kind::schema_change,
                      static_cast<std::uint64_t>(schema_change_kind::column_dropped)},
                     {fact_kind::fingerprint, fingerprint}}}};
  return one;
}

/// A server with two pipelines, of which the first has halted so.
struct halted_shop {
  halted_shop() {
    server.exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE t");
    std::filesystem::create_directories(state());
    REQUIRE(cli::halt_record{state()}.keep(refused_change("first")));
    record = read_file(state() + "/first.halted");
  }

  /// A configuration of these pipelines.
  [[nodiscard]] std::string with(const std::vector<std::string>& names) const {
    auto text = "[runtime]\nstate_dir = \"" + state() + "\"\n";
    for (const auto& name : names)
      text += "[[pipeline]]\nname = \"" + name + "\"\nslot_name = \"" + name +
              "\"\npublication = \"p\"\ngo_forward_only = true\nconnection.conninfo = \"" +
              server.conninfo() + "\"\nsink.kind = \"null\"\n";
    return write_in(folder, "c.toml", text);
  }

  [[nodiscard]] std::string state() const { return folder / "state"; }

  /// What the running program says of a pipeline.
  [[nodiscard]] nlohmann::json status_of(const std::string& name) const {
    const auto told = cli::ask_status(state() + "/control.sock");
    const auto all = told ? nlohmann::json::parse(*told, nullptr, false) : nlohmann::json{};
    if (all.contains("pipelines"))
      for (const auto& one : all["pipelines"])
        if (one["name"] == name)
          return one;
    return {{"state", "unknown"}};
  }

  [[nodiscard]] bool slot_exists(const std::string& name) const {
    return server.client().holds(
      "SELECT count(*) = 1 FROM pg_replication_slots WHERE slot_name = '" + name + "'");
  }

  pg_cluster server;
  temp_dir folder;
  std::string record;
};

} // namespace

TEST_CASE("a start does not accept what has halted a pipeline, and others run", "[cli][postgres]") {
  const halted_shop shop;
  const auto alone = shop.with({"first"});
  invocation one{shop.folder, {"run", alone}};
  CHECK(one.wait() == 1);
  CHECK_THAT(one.err(), Contains("first: HALTED: schema_change_destructive at=0/16E4000 "
                                 "relation=16384 change=column_dropped fingerprint=" +
                                 as_typed));
  CHECK_THAT(
    one.err(),
    Contains("replicant schema accept <config> --pipeline <pipeline> --confirm " + as_typed));
  CHECK(read_file(shop.state() + "/first.halted") == shop.record);
  CHECK_THAT(run_program({"status", alone}).out, Contains("--confirm " + as_typed));

  invocation both{shop.folder, {"run", shop.with({"first", "second"})}};
  CHECK(wait_until([&] { return shop.status_of("second")["state"] == "streaming"; }));
  const auto told = shop.status_of("first");
  const auto kept = nlohmann::json::parse(shop.record).at("pipelines").at(0);
  for (const auto* field : {"state", "since", "fault", "acknowledged", "durable", "schema_change"})
    CHECK(told.at(field) == kept.at(field));
  both.signal(SIGTERM);
  CHECK(both.wait() == 1);
  CHECK(read_file(shop.state() + "/first.halted") == shop.record);
  CHECK_FALSE(shop.slot_exists("first"));
}

TEST_CASE("what was accepted by its fingerprint is started again", "[cli][postgres]") {
  const halted_shop shop;
  const auto file = shop.with({"first"});
  const auto accept = [&](const std::string& confirmation) {
    std::vector<std::string> arguments{"schema", "accept", file, "--pipeline", "first"};
    if (!confirmation.empty())
      arguments.insert(arguments.end(), {"--confirm", confirmation});
    return run_program(arguments);
  };
  const auto told = accept("");
  CHECK(told.code == 0);
  CHECK_THAT(told.out, Contains("OID 16384") && Contains("column_dropped") &&
                         Contains("0/16E4000") && Contains("--confirm " + as_typed));
  for (const auto* wrong : {"0", "00C0FFEE00C0FFEE", "00c0ffee00c0ffef"})
    CHECK(accept(wrong).code == 2);
  CHECK(cli::accepted_changes{shop.state()}.read("first")->empty());
  CHECK(invocation{shop.folder, {"run", file}}.wait() == 1);

  CHECK(accept(as_typed).code == 0);
  CHECK(cli::accepted_changes{shop.state()}.read("first") == std::vector{fingerprint});
  invocation running{shop.folder, {"run", file}};
  CHECK(wait_until([&] { return shop.status_of("first")["state"] == "streaming"; }));
  CHECK_FALSE(std::filesystem::exists(shop.state() + "/first.halted"));
  const auto busy = accept(as_typed);
  CHECK(busy.code == 1);
  CHECK_THAT(busy.err, Contains("a program runs this configuration"));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  const auto nothing = accept(as_typed);
  CHECK(nothing.code == 1);
  CHECK_THAT(nothing.err, Contains("has not halted at a change of a table"));
}

TEST_CASE("accepted changes that cannot be read keep the program from starting",
          "[cli][postgres]") {
  const halted_shop shop;
  write_file(shop.state() + "/first.accepted", as_typed + "\ns3cr3t-planted\n");
  const auto refused = run_program({"run", shop.with({"first"})});
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("first.accepted cannot be read") && !Contains("planted"));
  CHECK_FALSE(shop.slot_exists("first"));
}

TEST_CASE("a halt that cannot be read keeps the program from starting", "[cli][postgres]") {
  const halted_shop shop;
  const auto file = shop.with({"first"});
  for (const auto& left : {std::string{}, "s3cr3t-planted" + shop.record}) {
    write_file(shop.state() + "/first.halted", left);
    for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"run", file}, {"schema", "accept", file, "--pipeline", "first"}}) {
      const auto refused = run_program(arguments);
      CHECK(refused.code == 3);
      CHECK_THAT(refused.err, Contains("first.halted cannot be read") && Contains("remove it") &&
                                !Contains("planted"));
    }
    CHECK(read_file(shop.state() + "/first.halted") == left);
  }
  CHECK_FALSE(shop.slot_exists("first"));
}

TEST_CASE("a reset forgets the halt at a change too", "[cli][postgres]") {
  const halted_shop shop;
  const auto file = shop.folder / "file.toml";
  write_file(file, "[runtime]\nstate_dir = \"" + shop.state() +
                     "\"\n[[pipeline]]\nname = \"first\"\nslot_name = \"first\"\npublication = "
                     "\"p\"\nconnection.conninfo = \"" +
                     shop.server.conninfo() + "\"\nsink = { kind = \"jsonl\", path = \"" +
                     (shop.folder / "out.jsonl") + "\" }\n");
  CHECK(run_program({"checkpoint", "reset", file}).code == 0);
  CHECK(std::filesystem::exists(shop.state() + "/first.halted"));
  CHECK(run_program({"checkpoint", "reset", file, "--confirm", "first"}).code == 0);
  CHECK_FALSE(std::filesystem::exists(shop.state() + "/first.halted"));
}
