// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/acknowledgement.hpp"

#include <algorithm>

namespace replicant {

using std::chrono::milliseconds;

namespace {

// Three updates per time-out, so that one may be lost; never rarer than every 10 s.
milliseconds status_interval(milliseconds wal_sender_timeout) {
  constexpr auto longest = milliseconds{10'000};
  if (wal_sender_timeout == milliseconds{0})
    return longest;
  return std::clamp(wal_sender_timeout / 3, milliseconds{50}, longest);
}

milliseconds silence_limit(milliseconds wal_sender_timeout) {
  constexpr auto without_timeout = milliseconds{60'000};
  constexpr auto shortest = milliseconds{10'000};
  const auto timeout = wal_sender_timeout == milliseconds{0} ? without_timeout : wal_sender_timeout;
  return std::max(2 * timeout, shortest);
}

} // namespace

acknowledgement::acknowledgement(watermark durable, milliseconds wal_sender_timeout,
                                 std::uint32_t patience, moment now)
  : durable_{durable},
    interval_{status_interval(wal_sender_timeout)},
    silence_limit_{silence_limit(wal_sender_timeout) * patience},
    last_sent_{now - interval_},
    last_frame_{now} {}

void acknowledgement::on_keepalive(const keepalive& sign, moment now) {
  on_frame(now);
  if (!sign.reply_requested)
    return;
  asked_ = true;
  if (asked_since_ && asked_for_ == sign.wal_end) {
    asked_again_ = true;
    return;
  }
  asked_for_ = sign.wal_end;
  asked_since_ = now;
  asked_again_ = false;
}

std::optional<status_update> acknowledgement::take_due(moment now) {
  const auto position = durable_.acknowledged();
  const auto silent = now - last_frame_ >= interval_;
  if (position == confirmed_ && !asked_ && now - last_sent_ < interval_)
    return std::nullopt;
  confirmed_ = position;
  asked_ = false;
  last_sent_ = now;
  if (asked_since_ && watermark::before(asked_for_) <= durable_) {
    asked_since_.reset();
    asked_again_ = false;
  }
  // A silent server is asked for a sign of life; a speaking one need not answer.
  return status_update{position, position, position, {}, silent};
}

bool acknowledgement::server_waits_in_vain(moment now) const {
  return asked_again_ && now - *asked_since_ >= vain_after;
}

std::optional<milliseconds> acknowledgement::silent_too_long(moment now) const {
  const auto silence = std::chrono::duration_cast<milliseconds>(now - last_frame_);
  return silence >= silence_limit_ ? std::optional{silence} : std::nullopt;
}

moment acknowledgement::next_deadline() const {
  auto next = std::min(last_sent_ + interval_, last_frame_ + silence_limit_);
  if (asked_again_)
    next = std::min(next, *asked_since_ + vain_after);
  return next;
}

} // namespace replicant
