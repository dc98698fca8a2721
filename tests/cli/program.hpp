// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "temporary_folder.hpp"

namespace replicant::testing {

/// Waits until `condition` holds; false when it does not within `patience`.
inline bool eventually(const std::function<bool()>& condition,
                       std::chrono::milliseconds patience = std::chrono::seconds{30}) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  return true;
}

/// The program under test as a child process, with its output in files. Killed if still running
/// when it goes out of scope.
class program {
public:
  program(const temporary_folder& folder, std::vector<std::string> arguments,
          std::map<std::string, std::string> variables = {});
  ~program();

  program(const program&) = delete;
  program& operator=(const program&) = delete;

  void signal(int number) const;

  /// Waits for the end. @returns the exit code, or minus the signal that ended it.
  int wait();

  [[nodiscard]] pid_t id() const { return id_; }

  /// What it wrote so far.
  [[nodiscard]] std::string out() const { return folder_.read(name_ + ".out"); }

  [[nodiscard]] std::string err() const { return folder_.read(name_ + ".err"); }

private:
  const temporary_folder& folder_;
  std::string name_;
  pid_t id_ = -1;
};

/// How a finished run ended and what it wrote.
struct outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs the program to its end.
outcome run_program(const std::vector<std::string>& arguments,
                    std::map<std::string, std::string> variables = {});

} // namespace replicant::testing
