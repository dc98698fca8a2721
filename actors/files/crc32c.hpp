// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace replicant {

/// A running CRC-32C (Castagnoli) over everything added so far, in order.
///
/// The common convention: the sum of no bytes is 0 and that of "123456789" is e3069283.
class crc32c {
public:
  void add(std::string_view bytes);

  [[nodiscard]] std::uint32_t value() const { return ~state_; }

private:
  std::uint32_t state_ = 0xFFFFFFFF;
};

} // namespace replicant
