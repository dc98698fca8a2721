// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace replicant::test {

/// Writes a file into the folder. @returns its path.
inline std::string write_in(const temp_dir& folder, const std::string& name,
                            const std::string& text) {
  const auto path = folder / name;
  write_file(path, text);
  return path;
}

/// The program under test as a child process, with its output in files. Killed if still running
/// when it goes out of scope.
class invocation {
public:
  /// `standard_output`: what gets it instead of a file, as the name of a pipe.
  invocation(const temp_dir& folder, std::vector<std::string> arguments,
             std::map<std::string, std::string> variables = {},
             const std::string& standard_output = {});
  ~invocation();

  invocation(const invocation&) = delete;
  invocation& operator=(const invocation&) = delete;

  void signal(int number) const;

  /// Waits for the end. @returns the exit code, or minus the signal that ended it.
  int wait();

  [[nodiscard]] pid_t id() const { return id_; }

  /// What it wrote so far.
  [[nodiscard]] std::string out() const { return read_file(folder_ / (name_ + ".out")); }

  [[nodiscard]] std::string err() const { return read_file(folder_ / (name_ + ".err")); }

private:
  const temp_dir& folder_;
  std::string name_;
  pid_t id_ = -1;
};

/// The program under test, for a shell to run.
[[nodiscard]] std::string program_path();

/// How a finished run ended and what it wrote.
struct outcome {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs the program to its end.
outcome run_program(const std::vector<std::string>& arguments,
                    std::map<std::string, std::string> variables = {});

} // namespace replicant::test
