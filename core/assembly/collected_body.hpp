// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/event_block.hpp"
#include "replicant/core/assembly/spill.hpp"
#include "replicant/core/assembly/transaction_parts.hpp"
#include "replicant/core/model/relation.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace replicant {

/// The events of one transaction as the server sent them, each with the shape its table had then;
/// without those of subtransactions that were rolled back.
///
/// Events are kept as bytes and decoded again by each pass: that is smaller than any decoded form,
/// and the same wherever they lie. The oldest are on disk, the next in memory of their own, and the
/// latest in the chunk that brought them. Only bytes that a decoder has accepted may be added.
class collected_body final : public transaction_body {
public:
  /// Adds a row or a truncate of `table`, whose number is left to this object. The bytes must stay
  /// valid until `detach` or the end of this object. @pre its xid was not rolled back.
  void add(const std::shared_ptr<const relation>& table, kept_event one);

  /// Adds a transactional logical message; bytes as above.
  void add_message(const kept_event& one);

  [[nodiscard]] bool has_messages() const { return has_messages_; }

  /// A subtransaction is undone.
  void roll_back(std::uint32_t xid) { parts_.roll_back(xid); }

  [[nodiscard]] bool was_rolled_back(std::uint32_t xid) const {
    return parts_.has_rolled_back() && parts_.was_rolled_back(xid);
  }

  /// Copies what was added since the last `detach` into memory of its own, so that its chunk can
  /// go.
  void detach();

  /// Bytes held in memory of its own.
  [[nodiscard]] std::uint64_t resident_bytes() const { return resident_bytes_; }

  /// Gives back the memory of what was rolled back.
  void compact();

  /// Writes what is held in memory of its own to the file, which is made for it when it needs one,
  /// and gives that memory back. @returns the bytes written. @fault as spill_file; nothing of this
  /// object is of use then.
  [[nodiscard]] result<std::uint64_t> spill(spill_area& area, std::uint32_t xid);

  /// Bytes on disk.
  [[nodiscard]] std::uint64_t spilled_bytes() const { return file_ ? file_->bytes() : 0; }

  /// Every shape in which rows came, also of what was rolled back.
  [[nodiscard]] std::span<const std::shared_ptr<const relation>> tables() const { return tables_; }

  /// The shapes of the rows that are left, in the order in which they first appeared.
  [[nodiscard]] std::vector<std::shared_ptr<const relation>> shapes() const;

  [[nodiscard]] std::unique_ptr<event_cursor> open() const override;

  [[nodiscard]] std::size_t size() const override { return parts_.size(); }

  [[nodiscard]] bool spilled() const override { return file_ != nullptr; }

private:
  friend class body_cursor;

  struct numbered_table {
    const relation* shape;
    std::uint32_t number; ///< Its place in `tables_`.
  };

  std::uint32_t number_of(const std::shared_ptr<const relation>& table);
  void keep(const kept_event& one);
  [[nodiscard]] event_block without_rolled_back(const event_block& block) const;

  transaction_parts parts_;
  std::vector<std::shared_ptr<const relation>> tables_;
  std::vector<numbered_table> numbers_; ///< Ascending by address.
  std::shared_ptr<spill_file> file_;
  std::vector<event_block> blocks_;
  std::vector<kept_event> attached_; ///< In a chunk.
  std::size_t attached_bytes_ = 0;   ///< What they will take when detached.
  std::uint64_t resident_bytes_ = 0; ///< Of `blocks_`.
  bool has_messages_ = false;
};

} // namespace replicant
