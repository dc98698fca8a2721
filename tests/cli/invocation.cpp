// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/invocation.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace replicant::test {

namespace {

std::atomic<int> started{0};

void redirect(const std::string& file, int to) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(opened, to);
  close(opened);
}

} // namespace

invocation::invocation(const temp_dir& folder, std::vector<std::string> arguments,
                       std::map<std::string, std::string> variables,
                       const std::string& standard_output)
  : folder_{folder}, name_{"program" + std::to_string(++started)} {
  arguments.insert(arguments.begin(), REPLICANT_PROGRAM);
  std::vector<char*> argv;
  for (auto& one : arguments)
    argv.push_back(one.data());
  argv.push_back(nullptr);
  const auto out = standard_output.empty() ? folder / (name_ + ".out") : standard_output;
  const auto err = folder / (name_ + ".err");
  id_ = fork();
  if (id_ != 0)
    return;
  // Ends with the test, however the test ends.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  for (const auto& [name, value] : variables)
    setenv(name.c_str(), value.c_str(), 1);
  execv(argv.front(), argv.data());
  _exit(127);
}

invocation::~invocation() {
  if (id_ > 0) {
    kill(id_, SIGKILL);
    wait();
  }
}

void invocation::signal(int number) const {
  REQUIRE(id_ > 0);
  kill(id_, number);
}

int invocation::wait() {
  int status = 0;
  REQUIRE(waitpid(id_, &status, 0) == id_);
  id_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string program_path() {
  return REPLICANT_PROGRAM;
}

outcome run_program(const std::vector<std::string>& arguments,
                    std::map<std::string, std::string> variables) {
  const temp_dir folder;
  invocation one{folder, arguments, std::move(variables)};
  const auto code = one.wait();
  return {.code = code, .out = one.out(), .err = one.err()};
}

} // namespace replicant::test
