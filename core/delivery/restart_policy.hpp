// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/moment.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

namespace replicant {

/// Decides what follows when a generation of a pipeline has ended by a fault: another one, and
/// when, or a halt.
class restart_policy {
public:
  using milliseconds = std::chrono::milliseconds;

  static constexpr milliseconds first_delay{100};
  static constexpr milliseconds longest_delay{30'000};
  static constexpr milliseconds default_timeout{60'000}; ///< Also for a server without a time-out.

  explicit restart_policy(std::uint32_t max_command_retries)
    : max_command_retries_{max_command_retries} {}

  /// A server has answered; what it says about its time-outs. A slot held by another session may be
  /// the remains of our own connection for that long.
  void on_connected(milliseconds wal_sender_timeout);

  /// Something new became durable: earlier failures are over. A stream that merely begins proves
  /// nothing.
  void on_progress();

  /// @returns how long to wait before the next generation; nothing: halt.
  [[nodiscard]] std::optional<milliseconds> on_failure(const fault& what, moment now);

  /// By how much the next generation lengthens its wait for a sign of life. It grows while silence
  /// keeps ending connections: a server that decodes something huge may be silent for long, and
  /// must get its chance.
  [[nodiscard]] std::uint32_t patience() const;

  /// Whether the next generation may be asked for transactions that are still open. Not when some
  /// can be read only at their commit, until something new has become durable. That is so for
  /// `rollback_undecided` and `too_many_streams`, and after an error inside of the server (XX000):
  /// servers up to 18 cannot decode one in which a table was altered, rolled back to a savepoint
  /// and altered again.
  [[nodiscard]] bool may_stream() const { return may_stream_; }

private:
  [[nodiscard]] milliseconds next_delay();
  [[nodiscard]] bool crash_is_tolerable(moment now);

  std::uint32_t max_command_retries_;
  std::uint32_t attempts_ = 0; ///< Since the last progress.
  std::uint32_t command_failures_ = 0;
  std::uint32_t silences_ = 0;
  bool may_stream_ = true;
  milliseconds wal_sender_timeout_ = default_timeout;
  std::optional<moment> active_since_;
  std::deque<moment> crashes_;
};

} // namespace replicant
