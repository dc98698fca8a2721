// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/observer.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace replicant::test {

/// What the program's log would say. Any thread may call.
class kept_log {
public:
  void add(std::string_view line) {
    const std::lock_guard lock{mutex_};
    text_.append(line);
  }

  [[nodiscard]] std::string text() const {
    const std::lock_guard lock{mutex_};
    return text_;
  }

private:
  mutable std::mutex mutex_;
  std::string text_;
};

/// A log of everything; the last line is in `log` when the observer is gone.
[[nodiscard]] std::shared_ptr<observer> logging_into(std::shared_ptr<kept_log> log);

} // namespace replicant::test
