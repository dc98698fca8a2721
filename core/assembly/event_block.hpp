// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace replicant {

/// An event as a transaction keeps it: what the server sent, without what repeats.
struct kept_event {
  static constexpr std::uint32_t no_table = 0xFFFFFFFF; ///< Of a message.

  char tag = '\0';                ///< Of the message that it came in.
  std::uint32_t xid = 0;          ///< Of its (sub)transaction, where the stream tells; otherwise 0.
  std::uint32_t table = no_table; ///< A number that the transaction has given to a shape.
  std::string_view
    body; ///< Of the message; of a truncate only what is the same for all its tables.
};

/// Events one behind another, with their lengths between: what leaves memory as a whole. Read only
/// by the process that wrote it.
class event_block {
public:
  /// Length, xid, table, tag.
  static constexpr std::size_t header_bytes = 3 * sizeof(std::uint32_t) + 1;

  /// What an event takes.
  [[nodiscard]] static std::size_t size_of(const kept_event& one) {
    return header_bytes + one.body.size();
  }

  [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

  /// Room for so many bytes more, and no more than needed.
  void reserve(std::size_t more) { bytes_.reserve(bytes_.size() + more); }

  void append(const kept_event& one);

private:
  std::vector<char> bytes_;
};

/// One pass over the events of a block.
class event_block_reader {
public:
  event_block_reader() = default;

  explicit event_block_reader(std::string_view block) : rest_{block} {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  /// The next event, a view into the block; nothing when the rest is none.
  [[nodiscard]] std::optional<kept_event> next();

private:
  std::string_view rest_;
};

} // namespace replicant
