// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/bench/harness.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace replicant::bench {

/// Where the measuring thread waits for what actors do: each `open` lets it pass once.
class gate {
public:
  void open() {
    {
      const std::lock_guard lock{mutex_};
      ++opened_;
    }
    changed_.notify_one();
  }

  /// Ends the program when nothing comes for so long that nothing will.
  void pass() {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, std::chrono::seconds{30}, [this] { return opened_ > 0; }))
      refuse("the actors do not come to an end");
    --opened_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t opened_ = 0;
};

} // namespace replicant::bench
