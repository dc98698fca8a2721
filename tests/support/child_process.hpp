// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace replicant::test {

/// Who a child process runs as.
enum class run_as {
  us,
  server_user, ///< `postgres` when we are root, because a server refuses root; otherwise us.
};

/// Makes `path`, and everything in it, belong to the user that servers run as.
void give_to_server_user(const std::string& path);

/// A process of ours; killed and reaped when it goes out of scope, and by the kernel when the
/// thread that started it dies.
class child_process {
public:
  /// Starts `command` with stdin closed and stdout and stderr appended to `log`.
  child_process(const std::vector<std::string>& command, const std::string& log,
                run_as user = run_as::us);
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  ~child_process();

  void signal(int number) const;

  /// @returns the wait status once it has ended; nothing when it is still running after `patience`.
  std::optional<int> wait(std::chrono::milliseconds patience);

  [[nodiscard]] bool running() { return !wait(std::chrono::milliseconds{0}); }

  [[nodiscard]] pid_t id() const { return id_; }

private:
  pid_t id_ = -1;
  std::optional<int> status_;
};

/// Runs `command` to its end. @throws std::runtime_error with its output when it fails.
void run(const std::vector<std::string>& command, run_as user = run_as::us);

} // namespace replicant::test
