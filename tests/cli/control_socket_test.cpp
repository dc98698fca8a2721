// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/cli/control_socket.hpp"
#include "replicant/actors/cli/unix_socket.hpp"
#include "replicant/tests/cli/invocation.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <iostream>
#include <thread>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;
using replicant::test::wait_until;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<control_socket> open_answering(const std::string& path, std::string text) {
  auto opened = control_socket::open(path, [text = std::move(text)] { return text; });
  REQUIRE(opened);
  return std::move(*opened);
}

descriptor connect_to(const std::string& path) {
  opened_socket connected;
  REQUIRE(wait_until([&] {
    connected = connect_unix(path);
    return connected || connected.error() != EAGAIN;
  }));
  REQUIRE(connected);
  return std::move(*connected);
}

void say(const descriptor& to, const std::string& text) {
  REQUIRE(::send(to.number(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
}

/// Everything until the other end closes.
std::string hear(const descriptor& from) {
  std::string all;
  char bytes[4096];
  pollfd waiting{from.number(), POLLIN, 0};
  while (::poll(&waiting, 1, 30'000) == 1) {
    const auto got = ::recv(from.number(), bytes, sizeof bytes, 0);
    if (got <= 0)
      return all;
    all.append(bytes, static_cast<std::size_t>(got));
  }
  FAIL("the other end neither answers nor closes");
  return all;
}

/// Leaves a socket file on which nobody listens.
void leave_stale_socket(const std::string& path) {
  const auto listening = listen_unix(path);
  REQUIRE(listening);
}

} // namespace

TEST_CASE("a question is answered and the socket goes away with its owner", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "deep/er/control.sock";
  {
    const auto socket = open_answering(path, "{}");
    CHECK(ask_status(path) == "{}\n");
    CHECK(ask_status(path) == "{}\n");
  }
  CHECK(ask_status(path).error() == ENOENT);
}

TEST_CASE("only its own user may use the socket", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, "{}");

  struct stat found {};

  REQUIRE(::lstat(path.c_str(), &found) == 0);
  CHECK((found.st_mode & 0777U) == 0600U);
}

TEST_CASE("another user gets no answer even if the file lets him in", "[cli][unit]") {
  if (::geteuid() != 0) {
    std::cerr << "SKIPPED: becoming another user needs root\n";
    return;
  }
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, "{}");
  REQUIRE(::chmod((folder / "").c_str(), 0755) == 0);
  REQUIRE(::chmod(path.c_str(), 0666) == 0);
  const auto child = ::fork();
  if (child == 0) {
    constexpr uid_t nobody = 65534;
    if (::setuid(nobody) != 0)
      _exit(1);
    const auto answer = ask_status(path);
    _exit(answer && !answer->empty() ? 2 : 0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(ask_status(path) == "{}\n");
}

TEST_CASE("a socket on which nobody answers is taken over", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  leave_stale_socket(path);
  REQUIRE(ask_status(path).error() == ECONNREFUSED);
  const auto socket = open_answering(path, "{\"new\":1}");
  CHECK(ask_status(path) == "{\"new\":1}\n");
}

TEST_CASE("a socket on which somebody answers is left to him", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto first = open_answering(path, "{\"first\":1}");
  const auto second = control_socket::open(path, [] { return std::string{}; });
  REQUIRE_FALSE(second);
  CHECK(second.error().what == socket_refusal::kind::in_use);
  CHECK(ask_status(path) == "{\"first\":1}\n");
}

TEST_CASE("of programs that start together over a stale socket one gets it", "[cli][unit]") {
  for (int round = 0; round < 20; ++round) {
    const temp_dir folder;
    const auto path = folder / "control.sock";
    leave_stale_socket(path);
    std::array<std::unique_ptr<control_socket>, 4> opened;
    {
      std::vector<std::jthread> starting;
      for (auto& one : opened)
        starting.emplace_back([&one, &path] {
          if (auto result = control_socket::open(path, [] { return std::string{"{}"}; }))
            one = std::move(*result);
        });
    }
    CHECK(std::ranges::count_if(opened, [](const auto& one) { return one != nullptr; }) == 1);
    CHECK(ask_status(path) == "{}\n");
  }
}

TEST_CASE("a file that is no socket is left alone", "[cli][unit]") {
  const temp_dir folder;
  const auto path = write_in(folder, "control.sock", "precious");
  const auto refused = control_socket::open(path, [] { return std::string{}; });
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == socket_refusal::kind::not_a_socket);
  CHECK(read_file(folder / "control.sock") == "precious");
}

TEST_CASE("the socket of another program is not removed", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  auto first = open_answering(path, "{}");
  REQUIRE(std::filesystem::remove(path));
  const auto second = open_answering(path, "{\"second\":1}");
  first.reset();
  CHECK(ask_status(path) == "{\"second\":1}\n");
}

TEST_CASE("a path that no socket can have is refused", "[cli][unit]") {
  const temp_dir folder;
  const auto refused = control_socket::open(folder / std::string(120, 'x'), {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == socket_refusal::kind::failed);
  CHECK(refused.error().error_number == ENAMETOOLONG);
}

TEST_CASE("a client that asks for something else is told so", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, "{}");
  for (const auto* request : {"stop\n", "status \n", "\n", "STATUS\n"}) {
    const auto client = connect_to(path);
    say(client, request);
    CHECK(hear(client) == "{\"error\":\"unknown_request\"}\n");
  }
}

TEST_CASE("a request may come in pieces", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, "{}");
  const auto client = connect_to(path);
  for (const char c : std::string{"status\n"}) {
    say(client, {c});
    std::this_thread::yield();
  }
  CHECK(hear(client) == "{}\n");
}

TEST_CASE("a client that never ends its line is dropped", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, "{}");
  const auto client = connect_to(path);
  say(client, std::string(10'000, 'x'));
  CHECK(hear(client).empty());
  CHECK(ask_status(path) == "{}\n");
}

TEST_CASE("silent clients are dropped and hold nobody up for long", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, "{}");
  std::vector<descriptor> silent;
  // More than are served at once; the rest waits in the backlog.
  for (int i = 0; i < 24; ++i)
    silent.push_back(connect_to(path));
  CHECK(ask_status(path, 30s) == "{}\n");
  CHECK(hear(silent.front()).empty());
}

TEST_CASE("a client that does not read its answer is dropped", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const std::string large(8U << 20U, 'x');
  const auto socket = open_answering(path, large);
  const auto client = connect_to(path);
  say(client, "status\n");
  const auto other = connect_to(path);
  say(other, "status\n");
  CHECK(hear(other).size() == large.size() + 1);
}

TEST_CASE("the time that an answer takes to make is not counted against any client",
          "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  std::atomic<int> made{0};
  const auto opened = control_socket::open(path, [&made] {
    if (++made == 1)
      std::this_thread::sleep_for(2'500ms); // Longer than a client may take.
    return std::string{"{}"};
  });
  REQUIRE(opened);
  const auto patient = connect_to(path);
  const auto other = connect_to(path);
  say(patient, "status\n");
  REQUIRE(wait_until([&] { return made == 1; }));
  say(other, "status\n");
  CHECK(hear(patient) == "{}\n");
  CHECK(hear(other) == "{}\n");
}

TEST_CASE("clients that leave at any moment do no harm", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto socket = open_answering(path, std::string(1U << 20U, 'x'));
  for (const auto* request : {"", "sta", "status\n"})
    for (int i = 0; i < 50; ++i)
      say(connect_to(path), request);
  CHECK(ask_status(path)->size() == (1U << 20U) + 1);
}

TEST_CASE("an answer that cannot be made costs only its client", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  int calls = 0;
  const auto socket = control_socket::open(path, [&calls]() -> std::string {
    if (++calls == 1)
      throw std::bad_alloc{};
    return "{}";
  });
  REQUIRE(socket);
  CHECK(ask_status(path) == "");
  CHECK(ask_status(path) == "{}\n");
}

TEST_CASE("who asks somebody that does not answer gives up", "[cli][unit]") {
  const temp_dir folder;
  const auto path = folder / "control.sock";
  const auto listening = listen_unix(path);
  REQUIRE(listening);
  CHECK(ask_status(path, 50ms).error() == ETIMEDOUT);
}
