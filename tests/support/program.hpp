// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/temp_dir.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

/// A configuration with one pipeline named "shop" on the slot "shop", which writes a file.
struct program_options {
  std::string conninfo;
  std::string publication = "shop";
  std::vector<std::string> more_publications;
  bool go_forward_only = true;
  std::string fsync = "every_commit";
  std::string file;                  ///< Empty: one in the program's own folder.
  std::vector<std::string> runtime;  ///< More lines of [runtime].
  std::vector<std::string> pipeline; ///< More lines of [[pipeline]].
  std::vector<std::string> rest;     ///< More lines at the end, in [pipeline.sink].
  run_as user = run_as::us;
};

/// How the program ended.
struct ending {
  int exit_code = -1; ///< -1: not by exit.
  int signal = 0;     ///< 0: not by a signal.

  bool operator==(const ending&) const = default;
};

/// `replicant run` as a process that can be killed and started again with the same files. The
/// processes are killed with the object.
class program {
public:
  explicit program(program_options options);

  /// Runs it; what ran before has to have ended. `variables` are "NAME=value", for `status` too.
  void start(std::vector<std::string> variables = {});

  /// As `start`, with failure points (core/telemetry/failpoint.hpp).
  void start_failing(const std::string& failpoints) {
    start({"REPLICANT_FAILPOINT=" + failpoints});
  }

  /// From the next start on, this command runs the program, as `prlimit --fsize=1`.
  void run_under(std::vector<std::string> command) { wrapper_ = std::move(command); }

  /// SIGKILL; returns when the process is gone.
  void kill();

  void terminate() const { process_->signal(SIGTERM); }

  /// @throws std::runtime_error when it still runs after `patience`.
  ending wait(std::chrono::milliseconds patience = std::chrono::seconds{30});

  /// SIGTERM, then `wait`.
  ending stop();

  [[nodiscard]] bool running() { return process_ && process_->running(); }

  [[nodiscard]] pid_t id() const { return process_->id(); }

  /// What `replicant status --format json` says of the pipeline; null when nothing can be said.
  [[nodiscard]] nlohmann::json status() const;

  /// As `replicant status` writes it for people, with what it says on stderr.
  [[nodiscard]] std::string status_text() const;

  /// Whether the pipeline is in this state now.
  [[nodiscard]] bool is(const std::string& state) const;

  /// What was written to stdout and stderr since the last start, or since the first.
  [[nodiscard]] std::string output() const;
  [[nodiscard]] std::string all_output() const;

  /// Whether the last run has written this.
  [[nodiscard]] bool says(const std::string& text) const {
    return output().find(text) != std::string::npos;
  }

  [[nodiscard]] const std::string& file() const { return file_; }

  /// The files that it has closed, in the order of the stream, and then `file`.
  [[nodiscard]] std::vector<std::string> files() const;

  [[nodiscard]] std::string content() const;

  /// A path in a folder of its own, which goes with the object.
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }

private:
  void configure() const;
  [[nodiscard]] std::vector<std::string> with_variables() const;
  [[nodiscard]] std::string ask(const std::string& format) const;

  program_options options_;
  std::vector<std::string> wrapper_;
  std::vector<std::string> variables_;
  temp_dir folder_;
  std::string file_;
  std::uintmax_t seen_ = 0; ///< Where the output of the last start begins.
  std::unique_ptr<child_process> process_;
};

} // namespace replicant::test
