// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tail_mailbox.hpp"
#include "replicant/actors/cli/tail_notices.hpp"
#include "replicant/actors/cli/terminal.hpp"
#include "replicant/tests/cli/invocation.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

environment variables(std::map<std::string, std::string> set) {
  return [set = std::move(set)](const std::string& name) {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional{found->second};
  };
}

telemetry_event lost(reason why) {
  return {.kind = event_kind::generation_lost, .failure = {.why = why}};
}

constexpr telemetry_event connected{.kind = event_kind::connected, .count = 150018};
constexpr telemetry_event streaming{.kind = event_kind::streaming};

} // namespace

TEST_CASE("who watches is told where he is and how it ends, once", "[cli][unit]") {
  tail_notices notices{true};
  notices.on_slot("replicant_tail_1_2");
  CHECK(notices.on_event(connected).empty());
  CHECK(notices.on_event(streaming) ==
        "replicant: connected to PostgreSQL 15.18, temporary slot replicant_tail_1_2\n"
        "replicant: waiting for changes; Ctrl-C ends it\n");
  CHECK(notices.on_event(streaming).empty());
  tail_notices unwatched{false};
  CHECK(unwatched.on_event(connected).empty());
  CHECK(unwatched.on_event(streaming).empty());
}

TEST_CASE("what does not fit on the disk is put right where there is no configuration",
          "[cli][unit]") {
  tail_notices notices{true};
  const auto halted = [&notices](reason why) {
    return notices.on_event({.kind = event_kind::halted, .failure = {.why = why}});
  };
  for (const auto why : {reason::spill_exhausted, reason::spill_io_failed})
    CHECK_THAT(halted(why), Contains("replicant: HALTED: " + std::string{to_string(why)}) &&
                              Contains("\nreplicant: tail keeps what does not fit into memory in a "
                                       "folder of its own below TMPDIR"));
  CHECK_THAT(halted(reason::slot_lost), !Contains("TMPDIR"));
}

TEST_CASE("an interruption is told once for each reason, and when it is over", "[cli][unit]") {
  for (const bool watched : {true, false}) {
    tail_notices notices{watched};
    static_cast<void>(notices.on_event(streaming));
    CHECK_THAT(notices.on_event(lost(reason::server_unavailable)),
               Contains("interrupted: server_unavailable: ") && Contains("see that it runs"));
    CHECK(notices.on_event(lost(reason::server_unavailable)).empty());
    CHECK_THAT(notices.on_event(lost(reason::connection_lost)), Contains("connection_lost"));
    CHECK(notices.on_event(streaming) == "replicant: connected again\n");
    CHECK_THAT(notices.on_event(lost(reason::connection_lost)), Contains("connection_lost"));
  }
}

TEST_CASE("a server that was away at first is told to be there, watched or not", "[cli][unit]") {
  tail_notices notices{false};
  CHECK_FALSE(notices.on_event(lost(reason::server_unavailable)).empty());
  CHECK_FALSE(notices.on_event(streaming).empty());
}

TEST_CASE("a halt is told with its reason and what to do", "[cli][unit]") {
  tail_notices notices{false};
  const auto told =
    notices.on_event({.kind = event_kind::halted, .failure = {.why = reason::database_missing}});
  CHECK(told == "replicant: HALTED: database_missing: " +
                  std::string{explain(reason::database_missing)} + "\n");
}

TEST_CASE("tables that nothing publishes are counted, not named", "[cli][unit]") {
  CHECK(tail_notices::on_unpublished(0, 2).empty());
  CHECK_THAT(tail_notices::on_unpublished(1, 1), Contains("the table asked for is in none"));
  CHECK_THAT(tail_notices::on_unpublished(2, 3), Contains("2 of the 3 tables asked for are in"));
}

TEST_CASE("notes come out in the order in which they were put", "[cli][unit]") {
  tail_mailbox mailbox;
  CHECK_FALSE(mailbox.take(tail_mailbox::clock::now()));
  mailing_observer observer{mailbox};
  {
    // Far too long to fit into a string object itself.
    std::string name(100, 's');
    observer.on_event({.kind = event_kind::identity_missing,
                       .pipeline = name,
                       .count = 7,
                       .table = std::string_view{name}.substr(0, 60)});
    name.assign(100, 'x');
  }
  mailbox.put(slot_named{"s"});
  mailbox.put(stop_asked{});
  const auto first = mailbox.take(tail_mailbox::clock::time_point::max());
  REQUIRE(first);
  const auto event = std::get<kept_event>(*first).told();
  CHECK(event.count == 7);
  CHECK(event.pipeline.empty());
  CHECK(event.table == std::string(60, 's'));
  CHECK(std::get<slot_named>(*mailbox.take(tail_mailbox::clock::time_point::max())).name == "s");
  CHECK(std::holds_alternative<stop_asked>(*mailbox.take(tail_mailbox::clock::time_point::max())));
}

TEST_CASE("the first variable that names a locale decides on the characters", "[cli][unit]") {
  CHECK(charset_of(variables({})) == charset::ascii);
  CHECK(charset_of(variables({{"LANG", "de_DE.UTF-8"}})) == charset::utf8);
  CHECK(charset_of(variables({{"LANG", "C.utf8"}})) == charset::utf8);
  CHECK(charset_of(variables({{"LANG", "de_DE"}})) == charset::ascii);
  CHECK(charset_of(variables({{"LANG", "C.UTF-8"}, {"LC_CTYPE", "C"}})) == charset::ascii);
  CHECK(charset_of(variables({{"LC_CTYPE", "C"}, {"LC_ALL", "C.UTF-8"}})) == charset::utf8);
  CHECK(charset_of(variables({{"LC_ALL", ""}, {"LANG", "C.UTF-8"}})) == charset::utf8);
}

TEST_CASE("colours are declined by NO_COLOR and by a terminal that has none", "[cli][unit]") {
  CHECK_FALSE(declines_colours(variables({{"TERM", "xterm"}})));
  CHECK_FALSE(declines_colours(variables({{"TERM", "xterm"}, {"NO_COLOR", ""}})));
  CHECK(declines_colours(variables({{"TERM", "xterm"}, {"NO_COLOR", "1"}})));
  CHECK(declines_colours(variables({{"TERM", "dumb"}})));
  CHECK(declines_colours(variables({})));
}

TEST_CASE("a connection string that libpq refuses ends with 2 and is not repeated", "[cli][unit]") {
  for (const auto* conninfo :
       {"password=planted nonsense", "planted", "postgresql://u:planted@h:x:y/",
        "host=h passwort=planted", "host='planted"}) {
    const auto told = run_program({"tail", conninfo, "-p", "p"});
    CHECK(told.code == 2);
    CHECK(told.out.empty());
    CHECK_THAT(told.err, Contains("connection string") && !Contains("planted"));
    CHECK(std::ranges::count(told.err, '\n') == 1);
  }
}
