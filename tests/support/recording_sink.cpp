// SPDX-License-Identifier: MIT
#include "replicant/tests/support/recording_sink.hpp"

namespace replicant {

void sink_ledger::hold(sink_checkpoint what) {
  const std::lock_guard lock{mutex_};
  held_ = what;
}

sink_checkpoint sink_ledger::held() const {
  const std::lock_guard lock{mutex_};
  return held_;
}

std::vector<ledger_entry> sink_ledger::transactions() const {
  const std::lock_guard lock{mutex_};
  return transactions_;
}

std::vector<std::uint64_t> sink_ledger::commits() const {
  std::vector<std::uint64_t> positions;
  for (const auto& one : transactions())
    positions.push_back(one.at.value());
  return positions;
}

std::set<std::uint64_t> sink_ledger::durable_commits() const {
  const std::lock_guard lock{mutex_};
  std::set<std::uint64_t> positions;
  for (const auto& one : transactions_)
    if (one.durable)
      positions.insert(one.at.value());
  return positions;
}

std::vector<std::vector<std::uint64_t>> sink_ledger::batches() const {
  const std::lock_guard lock{mutex_};
  return batches_;
}

std::vector<std::uint64_t> sink_ledger::frontiers() const {
  const std::lock_guard lock{mutex_};
  return frontiers_;
}

std::vector<std::string> sink_ledger::messages() const {
  const std::lock_guard lock{mutex_};
  return messages_;
}

std::uint64_t sink_ledger::sinks_made() const {
  const std::lock_guard lock{mutex_};
  return generation_;
}

recording_sink::recording_sink(std::shared_ptr<sink_ledger> ledger) : ledger_{std::move(ledger)} {
  ledger_->log_->note("sink", "sink made");
  const std::lock_guard lock{ledger_->mutex_};
  ++ledger_->generation_;
}

recording_sink::~recording_sink() {
  ledger_->log_->note("sink", "sink gone");
}

result<sink_checkpoint> recording_sink::checkpoint() {
  if (auto met = enter(sink_call::checkpoint, "checkpoint"); !met)
    return failure(met.error());
  return ledger_->held();
}

result<void> recording_sink::handle_transaction(const transaction& txn) {
  const auto position = txn.commit_lsn.value();
  if (auto met = enter(sink_call::transaction, "transaction " + std::to_string(position)); !met)
    return met;
  take_transaction(txn);
  if (!deferred())
    sync();
  return {};
}

void recording_sink::take_transaction(const transaction& txn) {
  std::size_t events = 0;
  for ([[maybe_unused]] const auto& one : txn.events())
    ++events;
  const std::lock_guard lock{ledger_->mutex_};
  ledger_->transactions_.push_back({ledger_->generation_, txn.commit_lsn, events, false});
  ledger_->unsynced_.advance(watermark::through(txn.commit_lsn));
}

void recording_sink::take_batch(std::span<const transaction> txns) {
  std::vector<std::uint64_t> positions;
  for (const auto& one : txns) {
    take_transaction(one);
    positions.push_back(one.commit_lsn.value());
  }
  if (!deferred())
    sync();
  const std::lock_guard lock{ledger_->mutex_};
  ledger_->batches_.push_back(std::move(positions));
}

result<void> recording_sink::enter(sink_call at, std::string what) {
  ledger_->log_->note("sink", std::move(what));
  return ledger_->plan.reach(at);
}

void recording_sink::take_frontier(watermark reached) {
  {
    const std::lock_guard lock{ledger_->mutex_};
    ledger_->frontiers_.push_back(reached.position().value());
    ledger_->unsynced_.advance(reached);
  }
  if (!deferred())
    sync();
}

void recording_sink::take_state(const state_entry& entry) {
  const std::lock_guard lock{ledger_->mutex_};
  put(ledger_->held_.state, entry);
}

void recording_sink::take_message(const logical_message& message) {
  const std::lock_guard lock{ledger_->mutex_};
  ledger_->messages_.emplace_back(message.content);
}

void recording_sink::sync() {
  const std::lock_guard lock{ledger_->mutex_};
  for (auto& one : ledger_->transactions_)
    one.durable = true;
  if (ledger_->held_.memory == sink_memory::none)
    return;
  ledger_->held_.memory = sink_memory::position;
  ledger_->held_.durable.advance(ledger_->unsynced_);
}

bool recording_sink::deferred() const {
  return dynamic_cast<const deferred_sink*>(this) != nullptr;
}

} // namespace replicant
