// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/relation.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace replicant {

/// The events of one transaction as the server sent them, each with the shape its table had then.
///
/// Events are kept as bytes and decoded again by each pass: that is smaller than any decoded form,
/// and the same whether the bytes lie in a chunk, in the transaction's own memory or (later) in a
/// file. Only bytes that a decoder has accepted may be added.
class memory_body final : public transaction_body {
public:
  /// Adds a row or a truncate of `table`. The bytes must stay valid until `detach` or the end of
  /// this object.
  void add(const std::shared_ptr<const relation>& table, std::string_view message);

  /// Adds a transactional logical message; bytes as above.
  void add_message(std::string_view message);

  /// Copies what was added since the last `detach` into memory of its own, so that its chunk can
  /// go.
  void detach();

  /// Payload bytes held in memory of its own.
  [[nodiscard]] std::uint64_t detached_bytes() const { return detached_bytes_; }

  /// A shape in which rows came.
  struct used_shape {
    std::shared_ptr<const relation> shape;
    std::size_t first_event; ///< The first event that has it.
  };

  /// All of them, in no order that means anything.
  [[nodiscard]] std::span<const used_shape> shapes() const { return shapes_; }

  [[nodiscard]] std::unique_ptr<event_cursor> open() const override;

  [[nodiscard]] std::size_t size() const override { return events_.size(); }

private:
  friend class memory_cursor;

  struct stored_event {
    const relation* table; ///< Null for a logical message.
    const char* bytes;
    std::uint32_t length;
  };

  std::vector<stored_event> events_;
  std::size_t attached_from_ = 0; ///< Events from here on lie in a chunk.
  std::vector<std::vector<char>> arena_;
  std::uint64_t detached_bytes_ = 0;
  std::vector<used_shape> shapes_; ///< By address; keeps `table` alive.
};

} // namespace replicant
