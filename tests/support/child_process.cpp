// SPDX-License-Identifier: MIT
#include "replicant/tests/support/child_process.hpp"

#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace replicant::test {

namespace {

struct user_ids {
  uid_t user;
  gid_t group;
};

std::optional<user_ids> server_user() {
  if (::geteuid() != 0)
    return std::nullopt;
  const auto* const entry = ::getpwnam("postgres");
  if (entry == nullptr)
    throw std::runtime_error{"root needs a user named postgres to run servers"};
  return user_ids{entry->pw_uid, entry->pw_gid};
}

/// Only calls that are safe between fork and exec.
[[noreturn]] void become(char* const* command, const char* log, const user_ids* user,
                         pid_t parent) {
  const auto output = ::open(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
  const auto input = ::open("/dev/null", O_RDONLY);
  if (output < 0 || ::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(output, 2) < 0)
    ::_exit(126);
  if (user != nullptr &&
      (::setgroups(0, nullptr) != 0 || ::setgid(user->group) != 0 || ::setuid(user->user) != 0))
    ::_exit(126);
  // A change of user clears it, so it comes last.
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  if (::getppid() != parent)
    ::_exit(126);
  ::execvp(command[0], command);
  ::_exit(127);
}

} // namespace

void give_to_server_user(const std::string& path) {
  const auto user = server_user();
  if (!user)
    return;
  const auto give = [&user](const std::filesystem::path& what) {
    if (::lchown(what.c_str(), user->user, user->group) != 0)
      throw std::runtime_error{"cannot give a file to the server's user"};
  };
  give(path);
  if (std::filesystem::is_directory(path))
    for (const auto& entry : std::filesystem::recursive_directory_iterator{path})
      give(entry.path());
}

child_process::child_process(const std::vector<std::string>& command, const std::string& log,
                             run_as user) {
  std::vector<char*> arguments;
  for (const auto& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const auto other = user == run_as::server_user ? server_user() : std::nullopt;
  const auto parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0)
    throw std::runtime_error{"cannot fork"};
  if (id_ == 0)
    become(arguments.data(), log.c_str(), other ? &*other : nullptr, parent);
}

child_process::~child_process() {
  if (running()) {
    signal(SIGKILL);
    wait(std::chrono::seconds{10});
  }
}

void child_process::signal(int number) const {
  if (!status_)
    ::kill(id_, number);
}

std::optional<int> child_process::wait(std::chrono::milliseconds patience) {
  const auto ended = [this] {
    int status = 0;
    if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_)
      status_ = status;
    return status_.has_value();
  };
  static_cast<void>(wait_until(ended, patience));
  return status_;
}

void run(const std::vector<std::string>& command, run_as user) {
  const temp_dir folder;
  const auto log = folder / "output";
  child_process process{command, log, user};
  if (process.wait(std::chrono::seconds{60}) == 0)
    return;
  std::ifstream input{log};
  std::ostringstream text;
  text << command.front() << " failed: " << input.rdbuf();
  throw std::runtime_error{text.str()};
}

} // namespace replicant::test
