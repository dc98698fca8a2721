// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/observer.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

namespace replicant::cli {

/// A signal asked to stop.
struct stop_asked {};

/// Nothing more will be shown.
struct view_over {};

/// The next connection uses a slot of this name.
struct slot_named {
  std::string name;
};

/// An event that may be kept: it owns the name that it refers to.
class kept_event {
public:
  explicit kept_event(const telemetry_event& what);

  /// The event without its pipeline; valid as long as this object.
  [[nodiscard]] telemetry_event told() const;

private:
  telemetry_event event_; ///< Without its names.
  std::string table_;
};

/// Something the main thread of `replicant tail` has to know.
using tail_note = std::variant<kept_event, slot_named, stop_asked, view_over>;

/// Notes for the main thread, in order. Any thread may put, and never waits.
class tail_mailbox {
public:
  using clock = std::chrono::steady_clock;

  void put(tail_note note);

  /// The next note; nothing when none has come until `deadline`.
  [[nodiscard]] std::optional<tail_note> take(clock::time_point deadline);

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<tail_note> notes_;
};

/// Puts every event of a pipeline into the mailbox, which has to outlive it.
class mailing_observer final : public observer {
public:
  explicit mailing_observer(tail_mailbox& to) : to_{to} {}

  void on_event(const telemetry_event& what) override;

private:
  tail_mailbox& to_;
};

} // namespace replicant::cli
