// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/observer.hpp"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace replicant {

/// Keeps every event. Any thread may call.
class recording_observer final : public observer {
public:
  /// An event that owns its names.
  struct entry {
    std::string pipeline;
    std::string table;
    telemetry_event what;
    std::string change; ///< As `to_string` tells it.
    std::optional<slot_standing> slot;
  };

  void on_event(const telemetry_event& what) override {
    const std::lock_guard lock{mutex_};
    entries_.push_back({std::string{what.pipeline}, std::string{what.table}, what,
                        what.change != nullptr ? to_string(*what.change) : std::string{},
                        what.slot != nullptr ? std::optional{*what.slot} : std::nullopt});
    entries_.back().what.pipeline = {};
    entries_.back().what.table = {};
    entries_.back().what.change = nullptr;
    entries_.back().what.slot = nullptr;
  }

  [[nodiscard]] std::vector<entry> entries() const {
    const std::lock_guard lock{mutex_};
    return entries_;
  }

  [[nodiscard]] std::vector<event_kind> kinds() const {
    std::vector<event_kind> found;
    for (const auto& one : entries())
      found.push_back(one.what.kind);
    return found;
  }

  /// As `kinds`, without what is told again and again while a stream runs.
  [[nodiscard]] std::vector<event_kind> landmarks() const {
    auto found = kinds();
    std::erase_if(found, [](event_kind one) {
      return one == event_kind::assembled || one == event_kind::made_durable ||
             one == event_kind::idle_advanced || one == event_kind::messages_taken ||
             one == event_kind::acknowledged;
    });
    return found;
  }

  /// The events of one kind, in order.
  [[nodiscard]] std::vector<telemetry_event> all(event_kind kind) const {
    std::vector<telemetry_event> found;
    for (const auto& one : entries())
      if (one.what.kind == kind)
        found.push_back(one.what);
    return found;
  }

private:
  mutable std::mutex mutex_;
  std::vector<entry> entries_;
};

} // namespace replicant
