// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/checkpoint_store.hpp"
#include "replicant/tests/support/call_plan.hpp"
#include "replicant/tests/support/journal.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace replicant {

enum class store_call {
  read,
  prepare,
  write,
};

/// What all checkpoint stores of one pipeline hold. Any thread may call.
class store_ledger {
public:
  explicit store_ledger(std::shared_ptr<journal> log) : log_{std::move(log)} {}

  call_plan<store_call> plan;

  void hold(stored_checkpoint what) {
    const std::lock_guard lock{mutex_};
    row_ = std::move(what);
  }

  [[nodiscard]] stored_checkpoint row() const {
    const std::lock_guard lock{mutex_};
    return row_;
  }

  /// The positions written, in order.
  [[nodiscard]] std::vector<std::uint64_t> written() const {
    const std::lock_guard lock{mutex_};
    return written_;
  }

  void prepare(const session_identity& source) {
    const std::lock_guard lock{mutex_};
    log_->note("store", "prepare");
    if (row_.held.memory == sink_memory::empty)
      row_ = {.held = {.memory = sink_memory::prepared}, .source = source};
  }

  void write(watermark reached, std::span<const state_entry> changed) {
    const std::lock_guard lock{mutex_};
    log_->note("store", "write " + std::to_string(reached.position().value()));
    written_.push_back(reached.position().value());
    row_.held.memory = sink_memory::position;
    row_.held.durable.advance(reached);
    for (const auto& one : changed)
      put(row_.held.state, one);
    std::erase_if(row_.held.state, [](const state_entry& one) { return one.content.empty(); });
  }

private:
  std::shared_ptr<journal> log_;
  mutable std::mutex mutex_;
  stored_checkpoint row_{.held = {.memory = sink_memory::empty}};
  std::vector<std::uint64_t> written_;
};

class recording_store final : public checkpoint_store {
public:
  explicit recording_store(std::shared_ptr<store_ledger> ledger) : ledger_{std::move(ledger)} {}

  result<stored_checkpoint> read() override {
    if (auto met = ledger_->plan.reach(store_call::read); !met)
      return failure(met.error());
    return ledger_->row();
  }

  result<void> prepare(const session_identity& source) override {
    auto met = ledger_->plan.reach(store_call::prepare);
    if (met)
      ledger_->prepare(source);
    return met;
  }

  result<void> write(watermark reached, std::span<const state_entry> changed) override {
    auto met = ledger_->plan.reach(store_call::write);
    if (met)
      ledger_->write(reached, changed);
    return met;
  }

private:
  std::shared_ptr<store_ledger> ledger_;
};

/// Makes stores over one ledger, one per generation.
inline checkpoint_store_factory stores_over(std::shared_ptr<store_ledger> ledger) {
  return [ledger = std::move(ledger)] { return std::make_unique<recording_store>(ledger); };
}

} // namespace replicant
