// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/intake.hpp"

#include <algorithm>
#include <utility>

namespace replicant {

void intake::mark(watermark reached, bool urgent) {
  // A position told before is worth nothing new, not even when the server asks again.
  if (reached <= marked_)
    return;
  waiting_ = std::max(reached, waiting_.value_or(reached));
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
  if (!current_->sparse())
    return std::exchange(current_, std::make_shared<chunk>());
  // What trickles in must not hold memory for what might have come.
  auto exact = std::make_shared<const chunk>(*current_);
  current_->clear();
  return exact;
}

std::optional<moment> intake::next_deadline() const {
  return waiting_ ? std::optional{last_mark_ + mark_pace} : std::nullopt;
}

} // namespace replicant
