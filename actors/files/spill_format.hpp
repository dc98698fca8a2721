// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/crc32c.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

/// What a spill file looks like: a `spill_header`, then frames, each of them a `spill_frame_head`
/// and as many bytes as that says. All numbers have the byte order of the machine, since a file is
/// read by the process that wrote it and by no other.
namespace replicant {

struct spill_header {
  std::array<char, 8> magic{'R', 'P', 'L', 'S', 'P', 'I', 'L', 'L'};
  std::uint32_t format = 1; ///< Changes with anything that this header describes.
  std::uint32_t xid = 0;

  friend bool operator==(const spill_header&, const spill_header&) = default;
};

struct spill_frame_head {
  std::uint32_t length = 0; ///< Of the block.
  std::uint32_t sum = 0;    ///< CRC-32C over length and block, so that zeros are no frame.

  friend bool operator==(const spill_frame_head&, const spill_frame_head&) = default;
};

/// What a file begins with.
struct spill_opening {
  spill_header header;
  spill_frame_head first;
};

static_assert(sizeof(spill_header) == 16 && sizeof(spill_frame_head) == 8 &&
              sizeof(spill_opening) == 24);

/// The head of a block, which must not be longer than the length can tell.
[[nodiscard]] inline spill_frame_head head_of(std::string_view block) {
  spill_frame_head head{.length = static_cast<std::uint32_t>(block.size())};
  const auto length = std::bit_cast<std::array<char, sizeof head.length>>(head.length);
  crc32c sum;
  sum.add({length.data(), length.size()});
  sum.add(block);
  head.sum = sum.value();
  return head;
}

} // namespace replicant
