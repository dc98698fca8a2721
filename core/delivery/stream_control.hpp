// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/acknowledgement.hpp"
#include "replicant/core/delivery/credit.hpp"
#include "replicant/core/delivery/intake.hpp"
#include "replicant/core/delivery/slow_sink.hpp"
#include "replicant/core/model/result.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace replicant {

/// What a stream needs to know at its beginning.
struct stream_limits {
  std::uint64_t max_inflight_bytes = 0;
  std::chrono::milliseconds wal_sender_timeout{0}; ///< 0: never.
  std::uint32_t patience = 1;                      ///< Multiplies the wait for a sign of life.
  slow_sink_policy on_slow_sink = slow_sink_policy::pace;
};

/// The rules of one running stream: what is read, what is passed on, what is confirmed, and when it
/// is over.
class stream_control {
public:
  /// `resume` is where the stream was asked to start; it is durable.
  stream_control(const stream_limits& limits, watermark resume, moment now);

  /// Takes a frame of the copy stream. @fault decode_failure for one that is neither data nor
  /// keepalive.
  [[nodiscard]] result<void> on_frame(std::string_view frame, moment now);

  /// A position that the sink has to learn before anything else.
  void mark(watermark origin) { intake_.mark(origin, true); }

  /// The chunk under way is full: pass it on before the next frame.
  [[nodiscard]] bool chunk_full() const { return intake_.full(); }

  /// What is to be passed on to the assembler now, charged; null for nothing. `flows`: more is sure
  /// to be read within a moment.
  [[nodiscard]] std::shared_ptr<const chunk> next_chunk(moment now, bool flows);

  void on_assembled(std::uint64_t released, std::uint64_t open);
  void on_durable(watermark reached, std::uint64_t released);

  /// Decides whether to read on; `paced` tells the answer. While nobody reads, silence means
  /// nothing.
  [[nodiscard]] bool decide_reading(moment now);

  /// Whether the sink has to make durable what it lets wait, because reading rests until then. To
  /// be told behind what was passed on last; once, until more is passed on.
  [[nodiscard]] bool take_settle() { return paced_ && std::exchange(unsettled_, false); }

  /// Nothing is to be read any more: what is in hand is being finished.
  void stop_reading() { reading_ended_ = true; }

  /// Takes the status update that is due, if any; the sender adds the clock time.
  [[nodiscard]] std::optional<status_update> take_status(moment now) {
    return acknowledgement_.take_due(now);
  }

  /// Whether waiting on still makes sense.
  /// @fault server_unavailable: the server wants to shut down and waits for a confirmation that
  /// cannot come.
  /// @fault connection_lost: it has been silent too long.
  /// @fault sink_too_slow: the sink has not caught up, and is not to be waited for.
  [[nodiscard]] result<void> check_patience(moment now) const;

  /// When one of the answers above may change by time alone.
  [[nodiscard]] moment next_deadline() const;

  /// Whether the sink has something to do: what is read now cannot be delivered before.
  [[nodiscard]] bool sink_is_at_work() const { return !credit_.waits_for_rest(); }

  [[nodiscard]] bool paced() const { return paced_; }

  [[nodiscard]] std::uint64_t in_flight() const { return credit_.in_flight(); }

  [[nodiscard]] lsn confirmed() const { return acknowledgement_.confirmed(); }

  [[nodiscard]] lsn received_end() const { return received_end_; }

private:
  /// For how long frames are gathered while the sink is at work. Not longer: a sink may work on
  /// many deliveries at a time.
  static constexpr auto gathering_time = std::chrono::milliseconds{100};
  /// For how long a busy stream is gathered for a sink that waits.
  static constexpr auto burst_time = std::chrono::milliseconds{2};

  /// For how long a sink may stay behind before it is too slow: more than the hiccup of a disk.
  static constexpr auto tolerated_slowness = std::chrono::milliseconds{1000};

  [[nodiscard]] bool gathers(moment now, bool flows) const;
  [[nodiscard]] std::optional<moment> too_slow_at() const;
  void watch_sink();
  void note_end(lsn told);

  credit credit_;
  intake intake_;
  acknowledgement acknowledgement_;
  lsn received_end_;
  moment passed_on_; ///< When the last chunk left.
  bool paced_ = false;
  bool reading_ended_ = false;
  bool unsettled_ = false; ///< More has been passed on since the sink was told to settle.
  slow_sink_policy on_slow_sink_;
  std::optional<moment> behind_since_; ///< The bound was reached, and the sink has not recovered.
};

} // namespace replicant
