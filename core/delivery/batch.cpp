// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/batch.hpp"

#include <utility>
#include <variant>

namespace replicant {

batch_limits batch_limits::for_batches(const batch_delivery& asked,
                                       std::uint64_t max_inflight_bytes) {
  return {.transactions = asked.max_transactions,
          .span = max_inflight_bytes / 4,
          .bytes = max_inflight_bytes / 2,
          .delay = asked.max_delay};
}

batch_limits batch_limits::for_checkpoints(const std::optional<batch_delivery>& asked,
                                           std::uint64_t max_inflight_bytes) {
  return for_batches(asked.value_or(batch_delivery{.max_transactions = 1,
                                                   .max_delay = std::chrono::milliseconds{0}}),
                     max_inflight_bytes);
}

batch_limits batch_limits::for_syncs(std::chrono::milliseconds interval,
                                     std::uint64_t max_inflight_bytes) {
  return {.bytes = max_inflight_bytes / 2, .delay = interval};
}

void batch::hold(const transaction& txn, moment now) {
  transactions_.push_back(txn);
  frontier_.reset(); // The transaction tells a later position.
  take(txn, now);
}

void batch::take(const transaction& txn, moment now) {
  if (count_++ == 0)
    first_ = txn.commit_lsn;
  spilled_ = spilled_ || txn.spilled();
  reached_ = watermark::through(txn.commit_lsn);
  wait(now);
}

void batch::wait(moment now) {
  if (!since_)
    since_ = now;
}

bool batch::precedes(const delivery_item& next) const {
  const auto stands_outside = std::holds_alternative<logical_message>(next) ||
                              std::holds_alternative<std::shared_ptr<const schema_change>>(next);
  const auto* const txn = std::get_if<transaction>(&next);
  const auto stands_alone = txn != nullptr && txn->spilled();
  return count_ > 0 && (full() || stands_outside || stands_alone);
}

bool batch::hold_back(watermark frontier) {
  if (transactions_.empty())
    return false;
  frontier_ = frontier;
  return true;
}

void batch::complete(const std::shared_ptr<const delivery>& content) {
  reached_ = content->reached;
  bytes_ += content->charged_bytes;
  spilled_bytes_ += content->spilled_bytes;
  if (!transactions_.empty() && !content->items.empty())
    sources_.push_back(content);
}

bool batch::full() const {
  // From the first transaction, not from what was durable before: a gap of WAL that is not ours, or
  // a stream that has just begun, must not end a batch with its first transaction.
  const auto span = count_ == 0 || !reached_ ? 0 : wal_bytes_between(first_, reached_->position());
  return spilled_ || count_ >= limits_.transactions || span >= limits_.span ||
         bytes_ >= limits_.bytes;
}

batch::settled batch::close() {
  const settled done{reached(), bytes_, spilled_bytes_};
  transactions_.clear();
  sources_.clear();
  count_ = 0;
  spilled_ = false;
  frontier_.reset();
  reached_.reset();
  bytes_ = 0;
  spilled_bytes_ = 0;
  since_.reset();
  return done;
}

} // namespace replicant
