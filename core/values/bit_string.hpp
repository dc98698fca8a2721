// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/byte_reader.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace replicant {

/// The bits of a bit or a bit varying. A view of the text or the binary form that it was read from,
/// so it lives no longer.
class bit_string {
public:
  /// Reads PostgreSQL's text; nothing for any other.
  [[nodiscard]] static std::optional<bit_string> parse(std::string_view text);

  /// Reads the binary form, which is all that is left of `in`; fails `in` when it is none.
  [[nodiscard]] static bit_string read(byte_reader& in);

  [[nodiscard]] std::size_t size() const { return size_; }

  /// The bit at `index`, which is less than `size`; they count from the left.
  [[nodiscard]] bool operator[](std::size_t index) const {
    if (!packed_)
      return bytes_[index] == '1';
    const auto byte = static_cast<unsigned char>(bytes_[index / 8]);
    return (byte >> (7 - index % 8) & 1U) != 0;
  }

private:
  std::string_view bytes_;
  std::size_t size_ = 0;
  bool packed_ = false; ///< Eight bits in a byte.
};

} // namespace replicant
