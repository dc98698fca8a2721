// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/interrupt.hpp"
#include "replicant/actors/postgres/readiness.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

using namespace replicant;
using namespace replicant::postgres;
using replicant::test::wait_until;

namespace {

struct socket_pair {
  socket_pair() {
    int both[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, both) == 0);
    ours = descriptor{both[0]};
    theirs = descriptor{both[1]};
  }

  void say() const { REQUIRE(::write(theirs.number(), "x", 1) == 1); }

  void hear() const {
    char byte = 0;
    REQUIRE(::read(ours.number(), &byte, 1) == 1);
  }

  descriptor ours;
  descriptor theirs;
};

/// Long enough for a call that must not come to come.
constexpr std::chrono::milliseconds quiet{60};

} // namespace

TEST_CASE("readiness calls once per arming", "[readiness][unit]") {
  const socket_pair pair;
  std::atomic<int> calls{0};
  readiness watcher;
  const auto arm = [&] {
    watcher.arm({{{pair.ours.number(), POLLIN}, {}}}, [&calls] { ++calls; });
  };
  arm();
  CHECK_FALSE(wait_until([&] { return calls > 0; }, quiet));
  pair.say();
  CHECK(wait_until([&] { return calls == 1; }));
  CHECK_FALSE(wait_until([&] { return calls > 1; }, quiet));
  arm();
  CHECK(wait_until([&] { return calls == 2; }));
}

TEST_CASE("readiness watches the second socket as well", "[readiness][unit]") {
  const socket_pair first;
  const socket_pair second;
  std::atomic<int> calls{0};
  readiness watcher;
  watcher.arm({{{first.ours.number(), 0}, {second.ours.number(), POLLIN}}}, [&calls] { ++calls; });
  first.say();
  CHECK_FALSE(wait_until([&] { return calls > 0; }, quiet));
  second.say();
  CHECK(wait_until([&] { return calls == 1; }));
}

TEST_CASE("readiness tells of a peer that went away even when nothing is to be read",
          "[readiness][unit]") {
  socket_pair pair;
  std::atomic<int> calls{0};
  readiness watcher;
  watcher.arm({{{pair.ours.number(), 0}, {}}}, [&calls] { ++calls; });
  pair.theirs = descriptor{};
  CHECK(wait_until([&] { return calls == 1; }));
}

TEST_CASE("a regular file has nothing to say to readiness", "[readiness][unit]") {
  const replicant::test::temp_dir folder;
  const descriptor file{
    ::open((folder.path() / "file").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600)};
  REQUIRE(file);
  const socket_pair pair;
  std::atomic<int> calls{0};
  readiness watcher;
  watcher.arm({{{file.number(), POLLIN}, {pair.ours.number(), POLLIN}}}, [&calls] { ++calls; });
  CHECK_FALSE(wait_until([&] { return calls > 0; }, quiet));
  pair.say();
  CHECK(wait_until([&] { return calls == 1; }));
}

TEST_CASE("a later arming replaces an earlier one", "[readiness][unit]") {
  const socket_pair pair;
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  readiness watcher;
  watcher.arm({{{pair.ours.number(), POLLIN}, {}}}, [&first] { ++first; });
  watcher.arm({{{pair.ours.number(), POLLIN}, {}}}, [&second] { ++second; });
  pair.say();
  CHECK(wait_until([&] { return second == 1; }));
  CHECK(first == 0);
}

TEST_CASE("nothing is called once readiness has stopped", "[readiness][unit]") {
  const socket_pair pair;
  std::atomic<int> calls{0};
  readiness watcher;
  watcher.arm({{{pair.ours.number(), POLLIN}, {}}}, [&calls] { ++calls; });
  watcher.stop();
  pair.say();
  CHECK_FALSE(wait_until([&] { return calls > 0; }, quiet));
}

TEST_CASE("readiness keeps up with a peer that talks all the time", "[readiness][unit]") {
  const socket_pair pair;
  std::atomic<int> calls{0};
  readiness watcher;
  for (int round = 1; round <= 2000; ++round) {
    watcher.arm({{{pair.ours.number(), POLLIN}, {}}}, [&calls] { ++calls; });
    pair.say();
    REQUIRE(wait_until([&] { return calls == round; }));
    pair.hear();
  }
}

TEST_CASE("a wait ends with its socket, its deadline or its interrupt", "[interrupt][unit]") {
  const socket_pair pair;
  interrupt_flag stop;
  const auto soon = [] { return in(std::chrono::milliseconds{30}); };
  CHECK(wait(pair.ours.number(), POLLIN, &stop, soon()) == wake::timed_out);
  pair.say();
  CHECK(wait(pair.ours.number(), POLLIN, &stop, never) == wake::ready);
  CHECK_FALSE(stop.raised());
  std::jthread other{[&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    stop.raise();
  }};
  pair.hear();
  CHECK(wait(pair.ours.number(), POLLIN, &stop, never) == wake::interrupted);
  // It stays raised, and wins over a socket that is ready.
  pair.say();
  CHECK(stop.raised());
  CHECK(wait(pair.ours.number(), POLLIN, &stop, never) == wake::interrupted);
  CHECK(wait(pair.ours.number(), POLLIN, nullptr, never) == wake::ready);
}
