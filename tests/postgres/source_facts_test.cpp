// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/connect_failure.hpp"
#include "replicant/actors/postgres/source_facts.hpp"
#include "replicant/core/model/session_settings.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::postgres;

namespace {

/// What a server shows that obeyed, but for the settings in `differing`.
rows shown_settings(std::uint32_t version, const std::vector<std::string>& differing = {}) {
  std::vector<std::string> names;
  std::vector<rows::cell> values;
  for (const auto& setting : pinned_settings) {
    if (version < setting.since_version)
      continue;
    names.emplace_back(setting.name);
    const auto differs = std::ranges::find(differing, setting.name) != differing.end();
    values.emplace_back(differs ? "other" : std::string{setting.shown});
  }
  return {names, values};
}

} // namespace

TEST_CASE("every pinned setting that did not stick is found", "[settings][unit]") {
  for (const std::uint32_t version : {140000U, 180000U}) {
    CHECK_FALSE(first_refused_setting(shown_settings(version), version));
    for (std::size_t index = 0; index < pinned_settings.size(); ++index) {
      const auto& setting = pinned_settings[index];
      const auto refused =
        first_refused_setting(shown_settings(version, {std::string{setting.name}}), version);
      if (version >= setting.since_version)
        CHECK(refused == index);
      else
        CHECK_FALSE(refused);
    }
  }
  CHECK(first_refused_setting(rows{}, 150000) == 0U);
}

TEST_CASE("the answer to IDENTIFY_SYSTEM is read by column name", "[identity][unit]") {
  const std::vector<std::string> columns{"extra", "dbname", "xlogpos", "timeline", "systemid"};
  const auto answer = [&columns](const rows::cell& database, const rows::cell& timeline,
                                 const rows::cell& system) {
    return identity_of(rows{columns, {"x", database, "0/1", timeline, system}});
  };
  const auto found = answer("shop", "7", "7378697629483820647");
  REQUIRE(found);
  CHECK(found->system_identifier == "7378697629483820647");
  CHECK(found->timeline == 7);
  CHECK(found->database == "shop");
  CHECK_FALSE(answer(std::nullopt, "7", "1"));
  CHECK_FALSE(answer("shop", "x", "1"));
  CHECK_FALSE(answer("shop", "7", std::nullopt));
  CHECK_FALSE(identity_of(rows{}));
}

TEST_CASE("a slot without positions is a slot", "[slot][unit]") {
  const std::vector<std::string> columns{"slot_type",  "plugin",      "database",
                                         "active_pid", "restart_lsn", "confirmed_flush_lsn",
                                         "wal_status", "conflicting", "invalidation_reason"};
  CHECK_FALSE(slot_of(rows{columns, {}}, "s"));

  const auto physical = slot_of(rows{columns, {"physical", {}, {}, {}, {}, {}, {}, {}, {}}}, "s");
  REQUIRE(physical);
  CHECK_FALSE(physical->logical);
  CHECK_FALSE(physical->restart);
  CHECK_FALSE(physical->confirmed);
  CHECK(physical->active_pid == 0);
  CHECK(physical->wal_status.empty());

  const auto lost =
    slot_of(rows{columns,
                 {"logical", "pgoutput", "shop", "42", "0/10", "0/20", "lost", "t", "wal_removed"}},
            "s");
  REQUIRE(lost);
  CHECK(lost->logical);
  CHECK(lost->plugin == "pgoutput");
  CHECK(lost->database == "shop");
  CHECK(lost->active_pid == 42);
  CHECK(lost->restart == lsn{0x10});
  CHECK(lost->confirmed == lsn{0x20});
  CHECK(lost->wal_status == "lost");
  CHECK(lost->conflicting);
  CHECK(lost->invalidation_reason == "wal_removed");
}

TEST_CASE("what holds a slot is known by what it calls itself", "[slot][unit]") {
  const auto holder = [](const rows::cell& application_name) {
    return slot_of(rows{{"holder"}, {application_name}}, "shop_orders")->holder;
  };
  CHECK(holder("replicant") == slot_holder::replicant);
  CHECK(holder("pg_recvlogical") == slot_holder::pg_recvlogical);
  CHECK(holder("shop_orders") == slot_holder::subscription);
  CHECK(holder("psql") == slot_holder::other_client);
  CHECK(holder("") == slot_holder::other_client);
  CHECK(holder(std::nullopt) == slot_holder::unknown);
}

TEST_CASE("the SQLSTATE of a failed connect is taken from the last server that refused",
          "[connect][unit]") {
  const auto code = [](std::string_view message) {
    return std::string{last_sqlstate(message).text()};
  };
  CHECK(code("connection to server at \"h\", port 1 failed: FATAL:  28P01\n") == "28P01");
  CHECK(code("connection to server at \"h\", port 1 failed: FATAL:  57P03\n"
             "connection to server at \"i\", port 1 failed: FATAL:  28000\n") == "28000");
  CHECK(code("connection failed: SCHWERWIEGEND:  3D000\n") == "3D000");
  CHECK(code("connection failed: FATAL:  28P01\nconnection refused\n\tIs it running?\n") ==
        "28P01");
  CHECK(code("connection failed: FATAL:  53300") == "53300");
  CHECK(code("").empty());
  CHECK(code("connection refused\n\n").empty());
  CHECK(code("something with HINT: 28P01\n").empty());
  CHECK(code("FATAL:  28p01\n").empty());
  CHECK(code("FATAL:  28P012\n").empty());
}
