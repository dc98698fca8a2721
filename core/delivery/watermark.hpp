// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"

#include <algorithm>
#include <compare>
#include <limits>

namespace replicant {

/// A promise: every transaction whose commit record starts at or below it is durable in the sink.
///
/// The only type that compares positions. Build it with `through` from a position that belongs to
/// what was made durable, and with `before` from every position that is exclusive: a keepalive's
/// wal_end, a slot's confirmed position, a consistent point. The next commit record may start
/// exactly there.
class watermark {
public:
  /// Promises nothing.
  constexpr watermark() = default;

  /// Everything up to and including the record that starts at `commit_lsn`.
  [[nodiscard]] static constexpr watermark through(lsn commit_lsn) {
    return watermark{commit_lsn.value()};
  }

  /// Everything that starts below `exclusive`.
  [[nodiscard]] static constexpr watermark before(lsn exclusive) {
    return watermark{exclusive.value() == 0 ? 0 : exclusive.value() - 1};
  }

  /// Whether a transaction or message whose record starts at `commit_lsn` is already durable.
  [[nodiscard]] constexpr bool covers(lsn commit_lsn) const { return commit_lsn.value() <= value_; }

  /// What may be confirmed to the server and where a stream has to start: the first byte not
  /// promised.
  [[nodiscard]] constexpr lsn acknowledged() const {
    return lsn{value_ == std::numeric_limits<std::uint64_t>::max() ? value_ : value_ + 1};
  }

  /// Whether a slot confirmed up to `confirmed` has been moved past this promise.
  [[nodiscard]] constexpr bool overtaken_by(lsn confirmed) const {
    return confirmed.value() > acknowledged().value();
  }

  /// Whether everything promised starts below `end`: a stretch of WAL that ends there holds it all.
  [[nodiscard]] constexpr bool ends_before(lsn end) const { return value_ < end.value(); }

  /// The inclusive position, to be stored and shown.
  [[nodiscard]] constexpr lsn position() const { return lsn{value_}; }

  /// Raises to `other` when that promises more; never goes back.
  constexpr void advance(watermark other) { value_ = std::max(value_, other.value_); }

  friend constexpr auto operator<=>(watermark, watermark) = default;

private:
  constexpr explicit watermark(std::uint64_t value) : value_{value} {}

  std::uint64_t value_ = 0;
};

} // namespace replicant
