// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/watermark.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace replicant {

/// What one drain of the socket brought: XLogData frames in order, and at most one keepalive mark
/// after them.
///
/// Charged whole against the credit. Rows are decoded in place, so views into it live as long as it
/// does.
class chunk {
public:
  /// A chunk is closed when it holds this much; one larger frame may exceed it.
  static constexpr std::size_t target_bytes = std::size_t{256} * 1024;

  chunk() { bytes_.reserve(target_bytes + target_bytes / 8); }

  void append(std::string_view frame) {
    const auto length = static_cast<std::uint32_t>(frame.size());
    std::array<char, sizeof length> prefix{};
    std::memcpy(prefix.data(), &length, sizeof length);
    // One huge row must not take twice its size.
    if (const auto needed = bytes_.size() + sizeof length + length; needed > bytes_.capacity())
      bytes_.reserve(needed);
    bytes_.insert(bytes_.end(), prefix.begin(), prefix.end());
    bytes_.insert(bytes_.end(), frame.begin(), frame.end());
  }

  /// Calls `take` with each frame in order while it returns true.
  template <class Take>
  void for_each_frame(Take take) const {
    for (std::size_t at = 0; at < bytes_.size();) {
      std::uint32_t length = 0;
      std::memcpy(&length, bytes_.data() + at, sizeof length);
      if (!take(std::string_view{bytes_.data() + at + sizeof length, length}))
        return;
      at += sizeof length + length;
    }
  }

  /// How far the stream had come without anything for us, after all frames.
  std::optional<watermark> mark;

  [[nodiscard]] bool full() const { return bytes_.size() >= target_bytes; }

  [[nodiscard]] bool has_frames() const { return !bytes_.empty(); }

  [[nodiscard]] bool empty() const { return !has_frames() && !mark; }

  /// Whether less than half of the memory is used; a copy takes only what it needs.
  [[nodiscard]] bool sparse() const { return bytes_.size() < target_bytes / 2; }

  void clear() {
    bytes_.clear();
    mark.reset();
  }

  /// What the chunk costs in memory, itself and what it gives rise to included.
  [[nodiscard]] std::uint64_t charge() const { return bytes_.capacity() + fixed_cost; }

private:
  static constexpr std::uint64_t fixed_cost = 512;

  std::vector<char> bytes_;
};

} // namespace replicant
