// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/stream_control.hpp"

#include <algorithm>

namespace replicant {

stream_control::stream_control(const stream_limits& limits, watermark resume, moment now)
  : credit_{limits.max_inflight_bytes},
    intake_{now},
    acknowledgement_{resume, limits.wal_sender_timeout, limits.patience, now},
    received_end_{resume.position()},
    passed_on_{now - gathering_time},
    on_slow_sink_{limits.on_slow_sink} {}

result<void> stream_control::on_frame(std::string_view frame, moment now) {
  const auto outer = decode_frame(frame);
  if (!outer)
    return failure(outer.error());
  if (const auto* data = std::get_if<xlog_data>(&*outer)) {
    acknowledgement_.on_frame(now);
    intake_.add(frame);
    note_end(data->start);
    return {};
  }
  const auto& sign = std::get<keepalive>(*outer);
  acknowledgement_.on_keepalive(sign, now);
  intake_.mark(watermark::before(sign.wal_end), sign.reply_requested);
  note_end(sign.wal_end);
  return {};
}

void stream_control::note_end(lsn told) {
  if (wal_bytes_between(received_end_, told) > 0)
    received_end_ = told;
}

/// The slower a sync is, the more transactions share the next one; and a busy stream is passed on
/// in pieces that are worth a message.
bool stream_control::gathers(moment now, bool flows) const {
  if (reading_ended_ || intake_.full())
    return false;
  const auto patience = sink_is_at_work() ? gathering_time : burst_time;
  return (flows || sink_is_at_work()) && now - passed_on_ < patience;
}

std::shared_ptr<const chunk> stream_control::next_chunk(moment now, bool flows) {
  if (intake_.holds_frames() && gathers(now, flows))
    return nullptr;
  auto taken = intake_.take(now, credit_.waits_for_rest());
  if (taken) {
    credit_.charge(taken->charge());
    passed_on_ = now;
    unsettled_ = true;
  }
  return taken;
}

void stream_control::on_assembled(std::uint64_t released, std::uint64_t open) {
  credit_.release(released);
  credit_.hold(open);
  watch_sink();
}

void stream_control::on_durable(watermark reached, std::uint64_t released) {
  credit_.release(released);
  acknowledgement_.on_durable(reached);
  watch_sink();
}

void stream_control::watch_sink() {
  if (credit_.recovered())
    behind_since_.reset();
}

bool stream_control::decide_reading(moment now) {
  paced_ = !credit_.may_read();
  if (paced_ && !behind_since_)
    behind_since_ = now;
  const auto reads = !paced_ && !reading_ended_;
  if (!reads)
    acknowledgement_.on_paced(now);
  return reads;
}

result<void> stream_control::check_patience(moment now) const {
  if (acknowledgement_.server_waits_in_vain(now))
    return failure(reason::server_unavailable);
  if (const auto silence = acknowledgement_.silent_too_long(now))
    return failure(
      fault{.why = reason::connection_lost,
            .facts = {fact{fact_kind::silence, static_cast<std::uint64_t>(silence->count())}}});
  if (const auto end = too_slow_at(); end && now >= *end)
    return failure(
      fault{.why = reason::sink_too_slow, .at = acknowledgement_.durable().position()});
  return {};
}

/// An orderly stop waits for the sink as long as it takes.
std::optional<moment> stream_control::too_slow_at() const {
  const auto judged = on_slow_sink_ == slow_sink_policy::halt && !reading_ended_;
  return judged && behind_since_ ? std::optional{*behind_since_ + tolerated_slowness}
                                 : std::nullopt;
}

moment stream_control::next_deadline() const {
  auto next = acknowledgement_.next_deadline();
  if (const auto mark = intake_.next_deadline())
    next = std::min(next, *mark);
  if (intake_.holds_frames())
    next = std::min(next, passed_on_ + gathering_time);
  if (const auto end = too_slow_at())
    next = std::min(next, *end);
  return next;
}

} // namespace replicant
