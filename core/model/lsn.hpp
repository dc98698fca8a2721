// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// A position in the write-ahead log of one server timeline, in bytes.
///
/// Deliberately without an order: only `watermark` compares positions, because half of the
/// positions that PostgreSQL reports are exclusive and a plain `<=` against them loses
/// transactions.
class lsn {
public:
  constexpr lsn() = default;

  constexpr explicit lsn(std::uint64_t value) : value_{value} {}

  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  friend constexpr bool operator==(lsn, lsn) = default;

private:
  std::uint64_t value_ = 0;
};

/// The text form of PostgreSQL: upper-case hex, "file/offset", without padding.
[[nodiscard]] std::string to_string(lsn position);

/// Reads PostgreSQL's text form; nothing for any other text.
[[nodiscard]] std::optional<lsn> parse_lsn(std::string_view text);

/// WAL bytes from `from` to `to`, 0 when `to` is behind. A metric: what is durable is never decided
/// by it.
[[nodiscard]] constexpr std::uint64_t wal_bytes_between(lsn from, lsn to) {
  return to.value() > from.value() ? to.value() - from.value() : 0;
}

} // namespace replicant
