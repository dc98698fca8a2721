// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/bench/backlog.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <cstdint>
#include <string>

namespace replicant::bench {

/// Plays a recorded backlog over and over, as a server would send it: each pass commits behind the
/// one before. There is always more to read.
class replaying_source final : public replication_source {
public:
  /// `played` has to outlive it.
  explicit replaying_source(const backlog& played);

  [[nodiscard]] result<source_facts> connect() override;
  [[nodiscard]] result<lsn> create_slot() override;

  [[nodiscard]] result<void> start(lsn /*from*/, bool /*streaming*/) override { return {}; }

  [[nodiscard]] result<std::optional<std::string_view>> next_frame() override;

  [[nodiscard]] result<void> send(std::string_view /*frame*/) override { return {}; }

  [[nodiscard]] result<void> flush() override { return {}; }

  [[nodiscard]] std::chrono::microseconds gathering_limit() const override { return {}; }

  void let_gather(std::chrono::microseconds /*span*/) override {}

  void notify(bool reading, std::function<void()> ready) override;

  [[nodiscard]] bool server_is_leaving() override { return false; }

  void ask_of_slot() override {}

  [[nodiscard]] std::optional<slot_standing> slot_answer() override { return {}; }

  void finish(std::chrono::milliseconds /*patience*/) override {}

  void interrupt() override {}

private:
  const backlog* played_;
  std::uint64_t span_;       ///< How far one pass moves the positions.
  std::uint64_t offset_ = 0; ///< Of the pass that is played.
  std::size_t at_ = 0;
  std::string moved_; ///< The last frame that had to be changed.
};

} // namespace replicant::bench
