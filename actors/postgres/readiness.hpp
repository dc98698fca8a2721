// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/descriptor.hpp"

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace replicant::postgres {

/// Tells once when one of a few sockets has something to say, from a thread of its own.
///
/// `arm` and `stop` belong to one thread. The callback runs on the other and must neither block nor
/// destroy this.
class readiness {
public:
  /// A socket and the events of poll that matter; an error or hang-up always does. -1 is skipped.
  struct watched {
    int socket = -1;
    short events = 0;
  };

  using sockets = std::array<watched, 2>;

  /// @throws std::system_error when the process has no file descriptor left.
  readiness();

  readiness(const readiness&) = delete;
  readiness& operator=(const readiness&) = delete;
  readiness(readiness&&) = delete;
  readiness& operator=(readiness&&) = delete;
  ~readiness();

  /// Calls `ready` once, as soon as one of `which` has an event. Replaces what was armed before and
  /// has not been called. The sockets must stay open until then, or until `stop` has returned.
  void arm(sockets which, std::function<void()> ready);

  /// Calls nothing any more once it has returned.
  void stop();

private:
  struct order {
    sockets which;
    std::function<void()> ready;
  };

  void run(const std::stop_token& ending);
  void wake() const;
  [[nodiscard]] std::optional<sockets> current() const;
  [[nodiscard]] std::function<void()> take();

  descriptor event_;
  mutable std::mutex mutex_;
  std::optional<order> armed_; ///< Guarded by mutex_.
  std::jthread thread_;
};

} // namespace replicant::postgres
