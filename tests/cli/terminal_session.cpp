// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/terminal_session.hpp"

#include <pty.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

namespace replicant::test {

terminal_session::terminal_session(std::vector<std::string> arguments, size of,
                                   std::map<std::string, std::string> variables)
  : size_{of} {
  arguments.insert(arguments.begin(), REPLICANT_PROGRAM);
  std::vector<char*> argv;
  for (auto& one : arguments)
    argv.push_back(one.data());
  argv.push_back(nullptr);
  variables.emplace("TERM", "xterm");
  winsize window{};
  window.ws_col = static_cast<unsigned short>(of.width);
  window.ws_row = static_cast<unsigned short>(of.height);
  id_ = ::forkpty(&terminal_, nullptr, nullptr, &window);
  if (id_ == 0) {
    // Ends with the test, however the test ends.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::unsetenv("NO_COLOR");
    for (const auto& [name, value] : variables)
      ::setenv(name.c_str(), value.c_str(), 1);
    ::execv(argv.front(), argv.data());
    ::_exit(127);
  }
  REQUIRE(id_ > 0);
  reader_ = std::jthread{[this] { collect(); }};
}

terminal_session::~terminal_session() {
  if (id_ > 0) {
    ::kill(id_, SIGKILL);
    wait();
  }
  ::close(terminal_);
}

void terminal_session::signal(int number) const {
  REQUIRE(id_ > 0);
  ::kill(id_, number);
}

void terminal_session::type(const std::string& text) const {
  REQUIRE(::write(terminal_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

int terminal_session::wait() {
  int status = 0;
  REQUIRE(::waitpid(id_, &status, 0) == id_);
  id_ = -1;
  reader_.join(); // The terminal is read to its end.
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string terminal_session::bytes() const {
  const std::lock_guard lock{mutex_};
  return bytes_;
}

screen terminal_session::shown() const {
  screen now{size_.width, size_.height};
  now.feed(bytes());
  return now;
}

bool terminal_session::shows(const std::string& text) const {
  const auto lines = shown().lines();
  return std::ranges::any_of(
    lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
}

void terminal_session::collect() {
  std::array<char, 4096> part{};
  for (;;) {
    const auto got = ::read(terminal_, part.data(), part.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return; // EIO: nobody has the other end any more.
    const std::lock_guard lock{mutex_};
    bytes_.append(part.data(), static_cast<std::size_t>(got));
  }
}

} // namespace replicant::test
