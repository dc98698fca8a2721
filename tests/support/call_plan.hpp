// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/result.hpp"

#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>

namespace replicant {

/// What the calls of a test double do instead of succeeding, and who waits inside of one. Any
/// thread may call.
template <class Call>
class call_plan {
public:
  static constexpr int always = std::numeric_limits<int>::max();

  /// The next `times` calls of `at` return `what`.
  void fail(Call at, const fault& what, int times = always) { plan(at, {what, {}, times}); }

  void fail(Call at, reason why, int times = always) { fail(at, fault{.why = why}, times); }

  /// The next `times` calls of `at` throw a std::runtime_error with this text.
  void raise(Call at, std::string text, int times = always) {
    plan(at, {std::nullopt, std::move(text), times});
  }

  /// Calls of `at` wait until released or interrupted.
  void hold(Call at) {
    const std::lock_guard lock{mutex_};
    steps_[at].held = true;
  }

  void release(Call at) {
    const std::lock_guard lock{mutex_};
    steps_[at].held = false;
    changed_.notify_all();
  }

  void release_all() {
    const std::lock_guard lock{mutex_};
    for (auto& [call, one] : steps_)
      one.held = false;
    changed_.notify_all();
  }

  /// Whether a call waits inside of `at` now.
  [[nodiscard]] bool waits_in(Call at) const {
    const std::lock_guard lock{mutex_};
    const auto found = steps_.find(at);
    return found != steps_.end() && found->second.waiting > 0;
  }

  /// How often `at` was called.
  [[nodiscard]] int count(Call at) const {
    const std::lock_guard lock{mutex_};
    const auto found = steps_.find(at);
    return found == steps_.end() ? 0 : found->second.calls;
  }

  /// To be called by the double inside of `at`.
  [[nodiscard]] result<void> reach(Call at, const std::stop_token& interrupted = {}) {
    std::unique_lock lock{mutex_};
    auto& one = steps_[at];
    ++one.calls;
    ++one.waiting;
    changed_.wait(lock, interrupted, [&] { return !one.held; });
    --one.waiting;
    if (interrupted.stop_requested())
      return failure(reason::connection_lost);
    auto& ahead = one.ahead;
    if (ahead.times == 0)
      return {};
    --ahead.times;
    if (ahead.what)
      return failure(*ahead.what);
    throw std::runtime_error{ahead.text};
  }

private:
  struct trouble {
    std::optional<fault> what; ///< Nothing: `text` is thrown.
    std::string text;
    int times = 0;
  };

  struct step {
    trouble ahead;
    bool held = false;
    int waiting = 0;
    int calls = 0;
  };

  void plan(Call at, trouble ahead) {
    const std::lock_guard lock{mutex_};
    steps_[at].ahead = std::move(ahead);
  }

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<Call, step> steps_;
};

} // namespace replicant
