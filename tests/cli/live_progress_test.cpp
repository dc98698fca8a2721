// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/cli/terminal_session.hpp"

#include <csignal>
#include <regex>

using namespace replicant::test;
using Catch::Matchers::Contains;
using replicant::test::wait_until;

namespace {

/// Two pipelines whose server is never there, so that they are interrupted again and again.
std::string configuration(const temp_dir& folder, const std::string& runtime = {}) {
  std::string text =
    "[runtime]\nlog_level = \"debug\"\nstate_dir = \"" + (folder / "state") + "\"\n" + runtime;
  for (const auto* name : {"shop", "warehouse"})
    text += "[[pipeline]]\nname = \"" + std::string{name} + "\"\nslot_name = \"" + name +
            "\"\npublication = \"p\"\nconnection = { conninfo = \"host=" + (folder / "nowhere") +
            " user=u dbname=d\" }\nsink = { kind = \"null\" }\n";
  return write_in(folder, "live.toml", text);
}

bool is_log_line(const std::string& line) {
  static const std::regex pattern{R"(\d{4}-\d\d-\d\dT[0-9:.]+Z \w+ +.*)"};
  return std::regex_match(line, pattern);
}

/// How often the log has told of an attempt to connect.
std::size_t attempts(const terminal_session& on) {
  const auto bytes = on.bytes();
  std::size_t count = 0;
  for (auto at = bytes.find(": connecting"); at != std::string::npos;
       at = bytes.find(": connecting", at + 1))
    ++count;
  return count;
}

/// The lines of progress, which are the last before the cursor's own empty line.
void check_live_lines(const std::vector<std::string>& lines) {
  REQUIRE(lines.size() > 2);
  CHECK(lines.back().empty());
  CHECK_THAT(lines[lines.size() - 3], Catch::Matchers::StartsWith("shop       "));
  CHECK_THAT(lines[lines.size() - 2], Catch::Matchers::StartsWith("warehouse  "));
}

} // namespace

TEST_CASE("on a terminal a line for each pipeline moves below the log", "[cli][unit]") {
  const temp_dir folder;
  terminal_session running{{"run", configuration(folder)}, {.width = 300, .height = 12}};
  REQUIRE(wait_until([&] {
    return running.shows("shop       waiting: server_unavailable") && attempts(running) >= 8;
  }));
  const auto screen = running.shown();
  const auto lines = screen.lines();
  check_live_lines(lines);
  for (std::size_t i = 0; i + 3 < lines.size(); ++i) {
    INFO(lines[i]);
    CHECK(is_log_line(lines[i]));
  }
  CHECK(screen.strange() == 0);
  CHECK_THAT(running.bytes(), Contains("\x1b[33mwaiting"));

  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  const auto after = running.shown();
  CHECK(after.column() == 0);
  for (const auto& line : after.lines()) {
    INFO(line);
    CHECK((is_log_line(line) || line.starts_with("shop: 0 transactions") ||
           line.starts_with("warehouse: 0 transactions") || line.empty()));
  }
}

TEST_CASE("on a narrow terminal lines of progress are cut and nothing is torn", "[cli][unit]") {
  const temp_dir folder;
  terminal_session running{{"run", configuration(folder)}, {.width = 30, .height = 60}};
  REQUIRE(wait_until([&] { return attempts(running) >= 4 && running.shows("waiting: server"); }));
  const auto lines = running.shown().lines();
  check_live_lines(lines);
  std::string log;
  for (std::size_t i = 0; i + 3 < lines.size(); ++i) {
    CHECK_FALSE(lines[i].starts_with("shop  "));
    log += lines[i];
  }
  CHECK_THAT(log, Contains("warehouse: connecting"));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
}

TEST_CASE("a terminal too low for all lines shows the first", "[cli][unit]") {
  const temp_dir folder;
  terminal_session running{{"run", configuration(folder)}, {.width = 300, .height = 2}};
  REQUIRE(
    wait_until([&] { return attempts(running) >= 4 && running.shows("shop       waiting"); }));
  CHECK_FALSE(running.shows("warehouse  "));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
}

TEST_CASE("nothing moves when that is not wanted or nobody sees it", "[cli][unit]") {
  const auto quiet = [](std::vector<std::string> options, const std::string& runtime,
                        const std::map<std::string, std::string>& variables) {
    const temp_dir folder;
    options.insert(options.begin(), {"run", configuration(folder, runtime)});
    terminal_session running{options, {.width = 300, .height = 50}, variables};
    REQUIRE(wait_until([&] { return running.shows("server_unavailable"); }));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
    return running.bytes().find('\x1b') == std::string::npos;
  };
  CHECK(quiet({"--no-progress"}, "", {}));
  CHECK(quiet({}, "log_format = \"json\"\n", {}));
  CHECK(quiet({}, "", {{"TERM", "dumb"}}));
  CHECK_FALSE(quiet({}, "", {}));
}

TEST_CASE("a terminal that takes nothing more does not keep the program", "[cli][unit]") {
  const temp_dir folder;
  terminal_session running{{"run", configuration(folder)}, {}};
  REQUIRE(wait_until([&] { return running.shows("shop       waiting"); }));
  running.type("\x13"); // Ctrl-S
  const auto seen = [&] { return running.bytes().size(); };
  REQUIRE(wait_until([&, last = seen(), since = std::chrono::steady_clock::now()]() mutable {
    const auto now = std::chrono::steady_clock::now();
    if (std::exchange(last, seen()) != seen())
      since = now;
    return now - since > std::chrono::seconds{1};
  }));
  const auto asked = std::chrono::steady_clock::now();
  running.signal(SIGTERM);
  CHECK(running.wait() == 143);
  CHECK(std::chrono::steady_clock::now() - asked < std::chrono::seconds{15});
}

TEST_CASE("NO_COLOR leaves out the colours alone", "[cli][unit]") {
  const temp_dir folder;
  terminal_session running{{"run", configuration(folder)}, {}, {{"NO_COLOR", "1"}}};
  REQUIRE(wait_until([&] { return running.shows("shop       waiting: server_unavailable"); }));
  CHECK_FALSE(std::regex_search(running.bytes(), std::regex{"\x1b\\[[0-9;]*m"}));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
}
