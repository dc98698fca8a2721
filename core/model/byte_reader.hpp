// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace replicant {

/// A bounded cursor over big-endian bytes; it never reads past their end.
///
/// The first read that does not fit fails the reader for good: that read and all later ones give
/// zero or nothing. So a whole message can be read without a check and judged once, by `finished`.
/// Whoever loops on a count that was read has to bound it by `left` first.
class byte_reader {
public:
  explicit byte_reader(std::string_view bytes)
    : at_{bytes.data()}, end_{bytes.data() + bytes.size()} {}

  [[nodiscard]] std::uint8_t u8() { return number<std::uint8_t>(); }

  [[nodiscard]] std::uint16_t u16() { return number<std::uint16_t>(); }

  [[nodiscard]] std::uint32_t u32() { return number<std::uint32_t>(); }

  [[nodiscard]] std::int32_t i32() { return static_cast<std::int32_t>(u32()); }

  [[nodiscard]] std::uint64_t u64() { return number<std::uint64_t>(); }

  [[nodiscard]] std::int64_t i64() { return static_cast<std::int64_t>(u64()); }

  /// The next `count` bytes.
  [[nodiscard]] std::string_view bytes(std::size_t count) {
    if (count > left()) [[unlikely]] {
      fail();
      return {};
    }
    const std::string_view taken{at_, count};
    at_ += count;
    return taken;
  }

  /// Everything that is left.
  [[nodiscard]] std::string_view rest() { return bytes(left()); }

  /// The text up to the next NUL, which is consumed and not part of it.
  [[nodiscard]] std::string_view text() {
    const auto* const nul =
      at_ == end_ ? nullptr : static_cast<const char*>(std::memchr(at_, '\0', left()));
    if (nul == nullptr) {
      fail();
      return {};
    }
    const std::string_view taken{at_, static_cast<std::size_t>(nul - at_)};
    at_ = nul + 1;
    return taken;
  }

  /// Declares the bytes wrong, for what only the caller can judge.
  void fail() {
    failed_ = true;
    at_ = end_;
  }

  [[nodiscard]] bool failed() const { return failed_; }

  [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

  /// Whether every read fitted and nothing is left over.
  [[nodiscard]] bool finished() const { return !failed_ && at_ == end_; }

private:
  template <class Number>
  [[nodiscard]] Number number() {
    if (left() < sizeof(Number)) [[unlikely]] {
      fail();
      return 0;
    }
    Number value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return from_big_endian(value);
  }

  template <class Number>
  [[nodiscard]] static Number from_big_endian(Number value) {
    static_assert(std::is_unsigned_v<Number>);
    if constexpr (std::endian::native == std::endian::big || sizeof(Number) == 1)
      return value;
    else if constexpr (sizeof(Number) == 2)
      return __builtin_bswap16(value);
    else if constexpr (sizeof(Number) == 4)
      return __builtin_bswap32(value);
    else
      return __builtin_bswap64(value);
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

} // namespace replicant
