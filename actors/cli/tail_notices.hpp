// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/observer.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace replicant::cli {

/// What `replicant tail` has to say beside the changes, in whole lines; empty when nothing.
class tail_notices {
public:
  /// `watched`: somebody reads along, and likes to know where he is.
  explicit tail_notices(bool watched) : watched_{watched} {}

  /// A connection is going to use a slot of this name.
  void on_slot(std::string name) { slot_ = std::move(name); }

  [[nodiscard]] std::string on_event(const telemetry_event& what);

  /// The server makes the slot, which takes longer than one would expect.
  [[nodiscard]] static std::string on_slow_start();

  /// The publications hold no table.
  [[nodiscard]] static std::string on_nothing_published();

  /// How many of the tables that were asked for are in no publication.
  [[nodiscard]] static std::string on_unpublished(std::size_t unpublished, std::size_t asked);

private:
  [[nodiscard]] static std::string on_halted(const fault& why);
  [[nodiscard]] std::string on_streaming();
  [[nodiscard]] std::string on_lost(const fault& why);

  bool watched_;
  bool streamed_ = false;
  std::optional<reason> trouble_; ///< Of the interruption that was told last and is not over.
  std::string slot_;
  std::uint64_t server_version_ = 0;
};

} // namespace replicant::cli
