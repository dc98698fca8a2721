// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace replicant {

/// What happened, in order, across everything that a test watches. Any thread may call.
class journal {
public:
  struct entry {
    std::string who;
    std::string what;
    std::thread::id thread;
  };

  void note(std::string_view who, std::string what) {
    const std::lock_guard lock{mutex_};
    entries_.push_back({std::string{who}, std::move(what), std::this_thread::get_id()});
  }

  [[nodiscard]] std::vector<entry> entries() const {
    const std::lock_guard lock{mutex_};
    return entries_;
  }

  /// What happened, without the lines in `ignored`.
  [[nodiscard]] std::vector<std::string>
  lines(std::initializer_list<std::string_view> ignored = {}) const {
    std::vector<std::string> found;
    for (const auto& one : entries())
      if (std::ranges::find(ignored, one.what) == ignored.end())
        found.push_back(one.what);
    return found;
  }

  [[nodiscard]] bool holds(std::string_view what) const {
    return std::ranges::any_of(entries(), [what](const entry& one) { return one.what == what; });
  }

private:
  mutable std::mutex mutex_;
  std::vector<entry> entries_;
};

} // namespace replicant
