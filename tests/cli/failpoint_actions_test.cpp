// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/failpoint_actions.hpp"
#include "replicant/tests/cli/invocation.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;

namespace {

/// Runs `body` in a child process with these failure points. @returns its exit code, or minus the
/// signal that ended it.
int in_child(const std::string& failpoints, const std::function<int()>& body) {
  const auto child = fork();
  if (child == 0) {
    setenv("REPLICANT_FAILPOINT", failpoints.c_str(), 1);
    _exit(install_failpoints() ? body() : 99);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

} // namespace

TEST_CASE("failure points are read from their list", "[cli][unit]") {
  const auto read = parse_failpoints(
    "before_fsync=kill,after_fsync=kill@3,before_write=block:/a/b@c,inside_transaction=error:28,"
    "before_acknowledge=error:5@2");
  REQUIRE(read);
  REQUIRE(read->size() == 5);
  CHECK(read->at(0).point == failpoint::before_fsync);
  CHECK(read->at(0).at_pass == 0);
  CHECK(read->at(1).at_pass == 3);
  CHECK(read->at(2).what == failpoint_action::kind::block);
  CHECK(read->at(2).file == "/a/b@c");
  CHECK(read->at(3).what == failpoint_action::kind::error);
  CHECK(read->at(3).error_number == 28);
  CHECK(read->at(4).error_number == 5);
  CHECK(read->at(4).at_pass == 2);
}

TEST_CASE("every failure point has a name that is understood", "[cli][unit]") {
  for (std::uint8_t i = 0; i < failpoint_count; ++i) {
    const auto point = static_cast<failpoint>(i);
    const auto read = parse_failpoints(std::string{to_string(point)} + "=kill");
    REQUIRE(read);
    CHECK(read->at(0).point == point);
  }
}

TEST_CASE("what is no failure point is refused", "[cli][unit]") {
  for (const auto* text : {"x", "before_fsync", "before_fsync=", "before_fsync=die", "nowhere=kill",
                           "before_fsync=kill@", "before_fsync=kill@0", "before_fsync=kill@x",
                           "before_fsync=block:", "before_fsync=error:", "before_fsync=error:x",
                           "before_fsync=error:0", "before_fsync=kill,,before_fsync=kill"}) {
    INFO(text);
    CHECK_FALSE(parse_failpoints(text));
  }
  CHECK(run_program({"--version"}, {{"REPLICANT_FAILPOINT", "nonsense"}}).code == 2);
}

TEST_CASE("a failure point kills at the pass that was asked for", "[cli][unit]") {
  const auto two_passes = [] {
    for (int i = 0; i < 2; ++i)
      if (reach(failpoint::before_fsync) != 0)
        return 1;
    return 0;
  };
  CHECK(in_child("before_fsync=kill@3", two_passes) == 0);
  CHECK(in_child("before_fsync=kill@2", two_passes) == -SIGKILL);
  CHECK(in_child("after_fsync=kill", two_passes) == 0);
}

TEST_CASE("a failure point fails with its errno", "[cli][unit]") {
  const auto third_of_three = [] {
    (void)reach(failpoint::before_fsync);
    (void)reach(failpoint::before_fsync);
    return reach(failpoint::before_fsync);
  };
  CHECK(in_child("before_fsync=error:28", third_of_three) == 28);
  CHECK(in_child("before_fsync=error:28@3", third_of_three) == 28);
  CHECK(in_child("before_fsync=error:28@2", third_of_three) == 0);
}

TEST_CASE("a failure point blocks as long as its file is there", "[cli][unit]") {
  const temp_dir folder;
  const auto gate = write_in(folder, "gate", "");
  std::jthread opener{[&] {
    if (test::wait_until([&] { return std::filesystem::exists(gate + ".reached"); }))
      std::filesystem::remove(gate);
  }};
  CHECK(in_child("before_write=block:" + gate, [] { return reach(failpoint::before_write); }) == 0);
  CHECK_FALSE(std::filesystem::exists(gate));
}
