// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/intake.hpp"

#include <utility>

namespace replicant {

void intake::mark(lsn wal_end, bool urgent) {
  // A position told before is worth nothing new, not even when the server asks again.
  if (wal_bytes_between(marked_, wal_end) == 0)
    return;
  if (!waiting_ || wal_bytes_between(*waiting_, wal_end) > 0)
    waiting_ = wal_end;
  urgent_ = urgent_ || urgent;
}

std::shared_ptr<const chunk> intake::take(moment now, bool idle) {
  const auto due = now - last_mark_ >= mark_pace || (urgent_ && idle && current_->empty());
  if (waiting_ && due) {
    marked_ = *waiting_;
    current_->mark = std::exchange(waiting_, std::nullopt);
    urgent_ = false;
    last_mark_ = now;
  }
  if (current_->empty())
    return nullptr;
  return std::exchange(current_, std::make_shared<chunk>());
}

std::optional<moment> intake::next_deadline() const {
  return waiting_ ? std::optional{last_mark_ + mark_pace} : std::nullopt;
}

} // namespace replicant
