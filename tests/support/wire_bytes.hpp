// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

/// Puts a message together by hand, in network order:
/// `wire_bytes{}.u8('B').u64(1).u64(2).u32(3).str()`.
class wire_bytes {
public:
  wire_bytes& u8(int value) { return number(static_cast<std::uint8_t>(value)); }

  wire_bytes& u16(int value) { return number(static_cast<std::uint16_t>(value)); }

  wire_bytes& u32(std::uint32_t value) { return number(value); }

  wire_bytes& u64(std::uint64_t value) { return number(value); }

  /// Text behind which a NUL follows.
  wire_bytes& text(std::string_view value) { return raw(value).u8(0); }

  wire_bytes& raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }

  /// A cell with a value: `tag` is 't' or 'b'.
  wire_bytes& cell(char tag, std::string_view value) {
    return u8(tag).u32(static_cast<std::uint32_t>(value.size())).raw(value);
  }

  [[nodiscard]] const std::string& str() const { return bytes_; }

private:
  template <class Number>
  wire_bytes& number(Number value) {
    for (auto shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8)
      bytes_ += static_cast<char>(value >> shift & 0xFF);
    return *this;
  }

  std::string bytes_;
};

} // namespace replicant
