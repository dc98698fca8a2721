// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace replicant::postgres {

/// Tells once when one of a few sockets has something to say, from a thread of its own, which
/// arming does not wake up.
///
/// `arm` and `stop` belong to one thread. The callback runs on the other and must neither block nor
/// destroy this.
class readiness {
public:
  /// A socket and the events of poll that matter; an error or hang-up always does. -1 is skipped,
  /// and so is a regular file, which never has anything to say.
  struct watched {
    int socket = -1;
    short events = 0;
  };

  using sockets = std::array<watched, 2>;

  /// @throws std::system_error when the process has no file descriptor left, or no memory.
  readiness();

  readiness(const readiness&) = delete;
  readiness& operator=(const readiness&) = delete;
  readiness(readiness&&) = delete;
  readiness& operator=(readiness&&) = delete;
  ~readiness();

  /// Calls `ready` once, as soon as one of `which` has an event. Replaces what was armed before and
  /// has not been called. The sockets must stay open until the next arming, or until `stop` has
  /// returned.
  void arm(sockets which, std::function<void()> ready);

  /// Calls nothing any more once it has returned.
  void stop();

private:
  void run(const std::stop_token& ending);
  void watch(int& before, const watched& now) const;
  [[nodiscard]] std::function<void()> take(std::uint64_t order);

  descriptor poll_;                                   ///< Of epoll.
  descriptor stop_;                                   ///< Readable when the thread has to end.
  std::array<int, std::tuple_size_v<sockets>> known_; ///< What epoll knows; -1: nothing.
  std::mutex mutex_;
  std::uint64_t order_ = 1;     ///< Guarded by mutex_. An event of an earlier order means nothing.
  std::function<void()> ready_; ///< Guarded by mutex_; empty when nothing is armed.
  std::jthread thread_;
};

} // namespace replicant::postgres
