// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace replicant {

/// Which events of an open transaction belong to which subtransaction and table, so that a
/// subtransaction can be taken out again wherever its events lie by then.
///
/// It costs 24 bytes for each pair of a subtransaction and a table in it, also of what was rolled
/// back.
class transaction_parts {
public:
  /// Counts the next event. @pre `xid` was not rolled back.
  void add(std::uint32_t xid, std::uint32_t table);

  /// Takes the events of a subtransaction out; those of one inside of it are its own. One without
  /// events is nothing to take out.
  void roll_back(std::uint32_t xid);

  /// Whether any event was taken out.
  [[nodiscard]] bool has_rolled_back() const { return size_ != seen_; }

  [[nodiscard]] bool was_rolled_back(std::uint32_t xid) const;

  /// How many events are left.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The tables of the events that are left, in the order in which they first appeared; messages
  /// have none.
  [[nodiscard]] std::vector<std::uint32_t> tables() const;

private:
  struct part {
    std::uint32_t xid = 0;
    std::uint32_t table = 0;
    std::uint64_t first_event = 0;
    std::uint64_t events = 0; ///< None when it was rolled back: it stays, to be known.
  };

  part& find(std::uint32_t xid, std::uint32_t table);

  std::vector<part> parts_; ///< Ascending by xid, then table.
  std::size_t last_ = 0;    ///< Events come in runs.
  std::uint64_t seen_ = 0;
  std::size_t size_ = 0;
};

} // namespace replicant
