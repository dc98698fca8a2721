// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/cli/screen.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <sys/types.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace replicant::test {

/// The program under test on a terminal of its own, which is also its standard input. Killed if
/// still running when it goes out of scope.
class terminal_session {
public:
  struct size {
    std::size_t width = 200;
    std::size_t height = 50;
  };

  terminal_session(std::vector<std::string> arguments, size of,
                   std::map<std::string, std::string> variables = {});
  ~terminal_session();

  terminal_session(const terminal_session&) = delete;
  terminal_session& operator=(const terminal_session&) = delete;

  void signal(int number) const;

  /// Types on the keyboard.
  void type(const std::string& text) const;

  /// Waits for the end. @returns the exit code, or minus the signal that ended it.
  int wait();

  /// Every byte that the terminal got.
  [[nodiscard]] std::string bytes() const;

  /// What the terminal shows now.
  [[nodiscard]] screen shown() const;

  [[nodiscard]] bool shows(const std::string& text) const;

private:
  void collect();

  size size_;
  int terminal_ = -1;
  pid_t id_ = -1;
  mutable std::mutex mutex_;
  std::string bytes_;
  std::jthread reader_;
};

} // namespace replicant::test
