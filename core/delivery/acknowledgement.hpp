// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/moment.hpp"
#include "replicant/core/protocol/replication_frame.hpp"

#include <chrono>
#include <optional>

namespace replicant {

/// What to tell the server, and when; and when to stop waiting for it.
///
/// The only thing ever confirmed is what the sink has made durable. Status updates go out when that
/// moved, when the server asks, and by the clock, so that a sink which takes its time never costs
/// the connection.
class acknowledgement {
public:
  /// A server is given up after twice its own time-out (60 s if it has none, never less than 10 s)
  /// without a sign of life, times `patience`. `durable` must not lie behind what the slot has
  /// confirmed: old servers would move the slot back.
  acknowledgement(watermark durable, std::chrono::milliseconds wal_sender_timeout,
                  std::uint32_t patience, moment now);

  /// The sink has made everything up to `reached` durable.
  void on_durable(watermark reached) { durable_.advance(reached); }

  /// The server sent something.
  void on_frame(moment now) { last_frame_ = now; }

  /// The server sent a keepalive.
  void on_keepalive(const keepalive& sign, moment now);

  /// While nothing is read, silence means nothing.
  void on_paced(moment now) { last_frame_ = now; }

  /// Takes the update that is due, if any; the caller sends it and fills in the clock time.
  [[nodiscard]] std::optional<status_update> take_due(moment now);

  /// The server keeps asking for a position that cannot be confirmed for a second: it wants to shut
  /// down and would wait for us for ever.
  [[nodiscard]] bool server_waits_in_vain(moment now) const;

  /// How long the server has been silent beyond the limit; nothing while that is tolerable.
  [[nodiscard]] std::optional<std::chrono::milliseconds> silent_too_long(moment now) const;

  /// When one of the answers above may change by time alone.
  [[nodiscard]] moment next_deadline() const;

  [[nodiscard]] watermark durable() const { return durable_; }

  [[nodiscard]] lsn confirmed() const { return confirmed_; }

private:
  static constexpr auto vain_after = std::chrono::milliseconds{1000};

  watermark durable_;
  lsn confirmed_{};
  std::chrono::milliseconds interval_;
  std::chrono::milliseconds silence_limit_;
  moment last_sent_;
  moment last_frame_;
  bool asked_ = false;
  bool asked_again_ = false; ///< More than one request since `asked_since_`.
  lsn asked_for_{};
  std::optional<moment> asked_since_;
};

} // namespace replicant
