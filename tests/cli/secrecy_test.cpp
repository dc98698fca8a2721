// SPDX-License-Identifier: MIT
#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/program.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <fstream>

using namespace replicant::test;

namespace {

/// The soft and the hard limit.
std::string core_limits(pid_t id) {
  std::ifstream limits{"/proc/" + std::to_string(id) + "/limits"};
  for (std::string line; std::getline(limits, line);)
    if (std::string_view{line}.starts_with("Max core file size"))
      return line;
  return {};
}

/// The kernel gives the insides of a process that cannot be dumped to root, whoever runs it.
bool can_be_dumped(pid_t id) {
  struct stat insides {};

  REQUIRE(::stat(("/proc/" + std::to_string(id) + "/environ").c_str(), &insides) == 0);
  return insides.st_uid != 0;
}

} // namespace

TEST_CASE("the running program leaves no dump of its memory", "[cli][unit]") {
  program replicant{{.conninfo = "host=/nowhere", .user = run_as::server_user}};
  replicant.start();
  REQUIRE(wait_until([&] { return replicant.says("running"); }));
  const auto limits = core_limits(replicant.id());
  CHECK_THAT(limits, Catch::Matches("Max core file size +0 +0 +bytes *"));
#ifndef __SANITIZE_ADDRESS__
  CHECK_FALSE(can_be_dumped(replicant.id()));
#endif
  CHECK(replicant.stop() == ending{.exit_code = 0});
}

TEST_CASE("a process that takes no care can be dumped", "[cli][unit]") {
  const temp_dir folder;
  give_to_server_user(folder.path().string());
  const child_process careless{{"sleep", "60"}, folder / "log", run_as::server_user};
  CHECK(wait_until([&] { return can_be_dumped(careless.id()); }));
}
