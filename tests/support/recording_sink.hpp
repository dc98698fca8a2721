// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/sink.hpp"
#include "replicant/tests/support/call_plan.hpp"
#include "replicant/tests/support/journal.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace replicant {

enum class sink_call {
  make,
  identity,
  checkpoint,
  stream_start,
  transaction,
  frontier,
  message,
  make_durable,
  schema_change,
  batch,
  state,
};

/// Something a sink was given: transactions and messages only ever get longer.
struct ledger_entry {
  std::uint64_t generation = 0; ///< Which sink took it, from 1.
  lsn at{};
  std::size_t events = 0;
  bool durable = false;
};

/// The target of all sinks of one pipeline: what they hold and what was asked of them. Any thread
/// may call.
class sink_ledger {
public:
  explicit sink_ledger(std::shared_ptr<journal> log) : log_{std::move(log)} {}

  call_plan<sink_call> plan;

  /// Of a deferred sink.
  std::chrono::milliseconds durability_interval{0};

  /// What the next sink finds. With a memory other than `none` it follows what becomes durable;
  /// state is kept at once.
  void hold(sink_checkpoint what);

  [[nodiscard]] sink_checkpoint held() const;

  [[nodiscard]] std::vector<ledger_entry> transactions() const;

  /// The commit positions of `transactions`.
  [[nodiscard]] std::vector<std::uint64_t> commits() const;

  /// The commit positions of those that are durable.
  [[nodiscard]] std::set<std::uint64_t> durable_commits() const;

  /// The commit positions of each batch that was taken, in order.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> batches() const;

  [[nodiscard]] std::vector<std::uint64_t> frontiers() const;

  [[nodiscard]] std::vector<std::string> messages() const;

  [[nodiscard]] std::uint64_t sinks_made() const;

private:
  friend class recording_sink;

  std::shared_ptr<journal> log_;
  mutable std::mutex mutex_;
  sink_checkpoint held_;
  watermark unsynced_;
  std::vector<ledger_entry> transactions_;
  std::vector<std::vector<std::uint64_t>> batches_;
  std::vector<std::uint64_t> frontiers_;
  std::vector<std::string> messages_;
  std::uint64_t generation_ = 0;
};

/// Records everything in its ledger. Give it capabilities by wrapping:
/// `with_frontier<with_session<recording_sink>>`.
class recording_sink : public sink {
public:
  explicit recording_sink(std::shared_ptr<sink_ledger> ledger);
  ~recording_sink() override;
  recording_sink(const recording_sink&) = delete;
  recording_sink& operator=(const recording_sink&) = delete;

  result<sink_checkpoint> checkpoint() override;
  result<void> handle_transaction(const transaction& txn) override;

protected:
  /// Notes the call, then does what the plan says.
  result<void> enter(sink_call at, std::string what);
  void take_transaction(const transaction& txn);
  void take_batch(std::span<const transaction> txns);
  void take_frontier(watermark reached);
  void take_message(const logical_message& message);
  void take_state(const state_entry& entry);
  /// Makes durable what was taken.
  void sync();

  [[nodiscard]] std::chrono::milliseconds interval() const { return ledger_->durability_interval; }

private:
  [[nodiscard]] bool deferred() const;

  std::shared_ptr<sink_ledger> ledger_;
};

template <class Base>
class with_session : public Base, public session_sink {
public:
  using Base::Base;

  result<void> handle_session_identity(const session_identity& identity) override {
    return this->enter(sink_call::identity, "identity " + identity.database);
  }

  result<void> handle_stream_start(stream_start how, const session_identity&) override {
    return this->enter(sink_call::stream_start,
                       how == stream_start::fresh ? "stream fresh" : "stream resumed");
  }
};

template <class Base>
class with_frontier : public Base, public frontier_sink {
public:
  using Base::Base;

  result<void> handle_frontier(watermark reached) override {
    auto met =
      this->enter(sink_call::frontier, "frontier " + std::to_string(reached.position().value()));
    if (met)
      this->take_frontier(reached);
    return met;
  }
};

template <class Base>
class with_messages : public Base, public message_sink {
public:
  using Base::Base;

  result<void> handle_message(const logical_message& message) override {
    auto met = this->enter(sink_call::message, "message " + std::to_string(message.at.value()));
    if (met)
      this->take_message(message);
    return met;
  }
};

template <class Base>
class with_schema_changes : public Base, public schema_change_sink {
public:
  using Base::Base;

  result<void> handle_schema_change(const schema_change& what) override {
    return this->enter(sink_call::schema_change, "changed " + to_string(what));
  }
};

template <class Base>
class with_batches : public Base, public batch_sink {
public:
  using Base::Base;

  /// All of a batch or nothing.
  result<void> handle_batch(std::span<const transaction> txns) override {
    std::string what = "batch";
    for (const auto& one : txns)
      what += " " + std::to_string(one.commit_lsn.value());
    auto met = this->enter(sink_call::batch, std::move(what));
    if (met)
      this->take_batch(txns);
    return met;
  }
};

template <class Base>
class with_state : public Base, public state_sink {
public:
  using Base::Base;

  result<void> handle_state(const state_entry& entry) override {
    auto met = this->enter(sink_call::state, "state " + entry.name);
    if (met)
      this->take_state(entry);
    return met;
  }
};

template <class Base>
class with_deferral : public Base, public deferred_sink {
public:
  using Base::Base;

  result<void> make_durable() override {
    auto met = this->enter(sink_call::make_durable, "make durable");
    if (met)
      this->sync();
    return met;
  }

  [[nodiscard]] std::chrono::milliseconds durability_interval() const override {
    return this->interval();
  }
};

/// Makes sinks over one ledger, one per generation.
template <class Sink>
sink_factory sinks_over(std::shared_ptr<sink_ledger> ledger) {
  return [ledger = std::move(ledger)]() -> result<std::unique_ptr<sink>> {
    if (auto met = ledger->plan.reach(sink_call::make); !met)
      return failure(met.error());
    return std::make_unique<Sink>(ledger);
  };
}

} // namespace replicant
