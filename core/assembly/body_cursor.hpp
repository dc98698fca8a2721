// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/event_block.hpp"
#include "replicant/core/assembly/spill.hpp"
#include "replicant/core/model/transaction.hpp"
#include "replicant/core/protocol/pgoutput.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace replicant {

class collected_body;

/// One pass over a transaction: disk, memory, chunk. Decodes an event per call into the same
/// object, and gives those that are left their ordinals without a gap, so that they are the same
/// whether or not the server has sent what was rolled back.
class body_cursor final : public event_cursor {
public:
  explicit body_cursor(const collected_body& body);

  const event* next() override;

private:
  [[nodiscard]] std::optional<kept_event> take();
  [[nodiscard]] bool open_block();
  void decode(const kept_event& one);

  const collected_body* body_;
  std::unique_ptr<spill_reader> disk_; ///< Null when nothing of the file is left.
  std::size_t next_block_ = 0;
  std::size_t next_attached_ = 0;
  event_block_reader block_;
  std::uint32_t ordinal_ = 0;
  pgoutput_decoder decoder_;
  event current_;
};

} // namespace replicant
