// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/cli/notify_socket.hpp"

#include <csignal>

using namespace replicant::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("the service manager is told when the program is ready and when it stops",
          "[cli][unit]") {
  const temp_dir folder;
  const notify_socket manager{folder};
  const auto file =
    write_in(folder, "s.toml",
             "[runtime]\nstate_dir = \"" + (folder / "state") +
               "\"\n[[pipeline]]\nname = \"shop\"\nslot_name = \"shop\"\npublication = \"p\"\n"
               "connection = { conninfo = \"host=" +
               (folder / "nowhere") + " user=u dbname=d\" }\nsink = { kind = \"null\" }\n");
  invocation running{folder, {"run", file}, {{"NOTIFY_SOCKET", manager.path()}}};
  CHECK_THAT(manager.hear(), StartsWith("READY=1\nSTATUS=1 pipeline: 1 "));
  CHECK(replicant::cli::ask_status(folder / "state/control.sock"));
  running.signal(SIGTERM);
  manager.await("STOPPING=1");
  CHECK(running.wait() == 0);
}

TEST_CASE("a service manager that does not listen is no reason not to run", "[cli][unit]") {
  const temp_dir folder;
  const auto file =
    write_in(folder, "s.toml",
             "[runtime]\nstate_dir = \"" + (folder / "state") +
               "\"\n[[pipeline]]\nname = \"shop\"\nslot_name = \"shop\"\npublication = \"p\"\n"
               "connection = { conninfo = \"host=" +
               (folder / "nowhere") + " user=u dbname=d\" }\nsink = { kind = \"null\" }\n");
  invocation running{folder, {"run", file}, {{"NOTIFY_SOCKET", folder / "nobody"}}};
  REQUIRE(wait_until(
    [&] { return replicant::cli::ask_status(folder / "state/control.sock").has_value(); }));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
}
