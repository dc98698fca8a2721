// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/delivery/batch.hpp"
#include "replicant/core/delivery/stream_control.hpp"
#include "replicant/tests/core/delivery/stream_model.hpp"
#include "replicant/tests/support/memory_spill.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <span>
#include <vector>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

// Batches against everything that meets them: messages, idle positions, tables that change, open
// transactions of which some are spilled, stops, batches that fail, and kills before and behind a
// commit of the sink. The same seeds give the same runs.

namespace {

constexpr std::uint64_t bound = 4000;

/// A target that commits what it is given together with the position, or nothing of it.
struct model_target {
  std::vector<std::uint64_t> taken;
  watermark position = watermark::before(lsn{100});

  void commit(std::span<const transaction> txns) {
    for (const auto& one : txns)
      taken.push_back(one.commit_lsn.value());
    position = watermark::through(txns.back().commit_lsn);
  }
};

/// What has happened often enough to have been tested.
struct counted {
  std::uint64_t shared_batches = 0; ///< Of more than one transaction.
  std::uint64_t failed_batches = 0;
  std::uint64_t messages_behind_batches = 0;
  std::uint64_t changes_behind_batches = 0;
  std::uint64_t frontiers_held_back = 0;
  std::uint64_t drains = 0;
  std::uint64_t spilled_behind_batches = 0;

  [[nodiscard]] std::uint64_t rarest() const {
    return std::min({shared_batches, failed_batches, messages_behind_batches,
                     changes_behind_batches, frontiers_held_back, drains, spilled_behind_batches});
  }
};

class batch_simulation {
public:
  batch_simulation(std::uint32_t seed, counted& seen)
    : random_{seed},
      server_{random_,
              {record_kind::transaction, record_kind::transaction, record_kind::transaction,
               record_kind::transaction, record_kind::empty_transaction, record_kind::message,
               record_kind::unpublished, record_kind::alteration, record_kind::open_step,
               record_kind::open_step, record_kind::open_step, record_kind::open_step}},
      seen_{seen},
      asked_{.max_transactions = static_cast<std::uint32_t>(1 + random_() % 8),
             .max_delay = std::chrono::milliseconds{1 + random_() % 3000}} {
    restart(true);
  }

  void run(int steps) {
    for (auto step = 0; step < steps; ++step) {
      this->step();
      // Never acknowledged too early.
      REQUIRE(server_.confirmed <= target_.position.acknowledged().value());
    }
    finish();
    CHECK(target_.taken == server_.oracle());
  }

private:
  void step() {
    now_ += std::chrono::milliseconds{random_() % 300};
    switch (random_() % 16) {
      case 0:
      case 1:
      case 2: server_.write(); break;
      case 3:
      case 4:
      case 5: server_.send_record(); break;
      case 6: server_.send_keepalive(); break;
      case 7:
      case 8: read(); break;
      case 9:
      case 10: assemble(); break;
      case 11: take(); break;
      case 12: tick(); break;
      case 13: confirm(); break;
      case 14: status(); break;
      case 15: disturb(); break;
    }
  }

  void disturb() {
    switch (random_() % 24) {
      case 0: restart(true); break;  // The program is killed,
      case 1: restart(false); break; // the connection is lost,
      case 2: drain(); break;        // somebody stops it,
      case 3: fails_ = true; break;  // the next batch fails,
      case 4: dies_ = true; break;   // or is committed by a program that does not live to say so.
      default: break;
    }
  }

  void read() {
    for (auto count = random_() % 6; count > 0 && control_->decide_reading(now_); --count)
      if (const auto frame = server_.receive())
        REQUIRE(control_->on_frame(*frame, now_));
    pass_on();
  }

  void pass_on() {
    if (auto source = control_->next_chunk(now_, random_() % 2 == 0))
      chunks_.emplace_back(std::move(source));
    if (control_->take_settle())
      chunks_.emplace_back(nullptr);
  }

  void assemble() {
    if (chunks_.empty())
      return;
    const auto source = chunks_.front();
    chunks_.pop_front();
    if (!source) {
      deliveries_.emplace_back(nullptr);
      return;
    }
    auto made = fold_->consume(source);
    REQUIRE(made);
    control_->on_assembled(made->empty() ? made->charged_bytes : 0, fold_->open_bytes());
    if (!made->empty())
      deliveries_.push_back(std::make_shared<delivery>(std::move(*made)));
  }

  void take() {
    if (deliveries_.empty())
      return;
    auto content = std::move(deliveries_.front());
    deliveries_.pop_front();
    const auto goes_on = content ? take(content) : settle();
    content.reset();
    if (!goes_on)
      restart(std::exchange(dies_, false));
  }

  /// @returns whether the generation goes on.
  bool take(const std::shared_ptr<const delivery>& content) {
    for (const auto& item : content->items) {
      const auto open = !batch_->transactions().empty();
      const auto* const txn = std::get_if<transaction>(&item);
      if (txn != nullptr && txn->spilled() && open)
        ++seen_.spilled_behind_batches;
      if (batch_->precedes(item) && !settle())
        return false;
      take(item, open);
    }
    if (content->frontier) {
      if (batch_->hold_back(*content->frontier))
        ++seen_.frontiers_held_back;
      else
        target_.position = *content->frontier;
    }
    batch_->complete(content);
    return batch_->may_wait() || settle();
  }

  void take(const delivery_item& item, bool batch_was_open) {
    if (const auto* txn = std::get_if<transaction>(&item)) {
      batch_->hold(*txn, now_);
      fresh_.insert(fresh_.end(), arriving_.begin(), arriving_.end());
      arriving_.clear();
    } else if (const auto* shape = std::get_if<std::shared_ptr<const relation>>(&item)) {
      arriving_.push_back(*shape);
    } else if (const auto* message = std::get_if<logical_message>(&item)) {
      // Nothing of a batch is left behind it.
      REQUIRE(batch_->transactions().empty());
      seen_.messages_behind_batches += batch_was_open ? 1 : 0;
      target_.taken.push_back(message->at.value() - 1);
      target_.position = watermark::before(message->at);
    } else {
      REQUIRE(batch_->transactions().empty());
      seen_.changes_behind_batches += batch_was_open ? 1 : 0;
      told_ = std::get<std::shared_ptr<const schema_change>>(item);
    }
  }

  /// @returns whether the generation goes on.
  bool settle() {
    if (batch_->empty())
      return true;
    if (const auto held = batch_->transactions(); !held.empty()) {
      if (std::exchange(fails_, false)) {
        ++seen_.failed_batches;
        return false;
      }
      judge(held);
      target_.commit(held);
      seen_.shared_batches += held.size() > 1 ? 1 : 0;
      if (dies_)
        return false;
      if (const auto frontier = batch_->frontier()) {
        REQUIRE(*frontier > target_.position);
        target_.position = *frontier;
      }
    }
    const auto done = batch_->close();
    REQUIRE(done.reached <= target_.position);
    known_.insert(known_.end(), fresh_.begin(), fresh_.end());
    fresh_.clear();
    durables_.emplace_back(done.reached, done.bytes);
    return true;
  }

  /// What a batch holds can still be read, is what was written, and of the shape that was told.
  void judge(std::span<const transaction> held) {
    for (const auto& one : held) {
      REQUIRE(long_rows_of(one) == server_.rows_at(one.commit_lsn.value()));
      // What lies on disk stands alone.
      REQUIRE((held.size() == 1 || !one.spilled()));
      for (const auto& event : one.events()) {
        const auto& row = std::get<change>(event);
        if (row.op != operation::insert || row.table->oid != model_table)
          continue;
        REQUIRE(row.record.front().bytes == std::to_string(one.commit_lsn.value()));
        const auto columns = row.table->columns.size();
        if (columns_ && columns != *columns_) {
          REQUIRE(told_);
          REQUIRE(told_->at == one.commit_lsn);
          REQUIRE(told_->after->columns.size() == columns);
        }
        columns_ = columns;
      }
    }
  }

  void tick() {
    if (batch_->may_wait() && now_ >= batch_->due() && !settle())
      restart(std::exchange(dies_, false));
  }

  void confirm() {
    if (durables_.empty())
      return;
    control_->on_durable(durables_.front().first, durables_.front().second);
    durables_.pop_front();
  }

  void status() {
    if (const auto update = control_->take_status(now_)) {
      REQUIRE(update->flushed.value() >= server_.confirmed);
      server_.confirmed = update->flushed.value();
    }
  }

  /// What is in hand is delivered and acknowledged, then the program ends.
  void drain() {
    control_->stop_reading();
    pass_on();
    while (!chunks_.empty())
      assemble();
    for (auto left = deliveries_.size(); left > 0 && !deliveries_.empty(); --left)
      take();
    if (deliveries_.empty() && settle()) {
      while (!durables_.empty())
        confirm();
      status();
      CHECK(server_.confirmed == target_.position.acknowledged().value());
      ++seen_.drains;
    }
    dies_ = false;
    restart(true);
  }

  /// `forgets`: it is another program, which knows no table.
  void restart(bool forgets) {
    if (forgets) {
      known_.clear();
      columns_.reset();
    }
    schema_memory memory;
    for (const auto& one : known_)
      memory.learn(one);
    told_.reset();
    arriving_.clear();
    fresh_.clear();
    chunks_.clear();
    deliveries_.clear();
    durables_.clear();
    batch_.emplace(batch_limits::for_batches(asked_, bound));
    fold_.reset();
    REQUIRE(disk_->files() == 0);
    fold_.emplace(
      target_.position, false, memory,
      open_rules{.dialect = {.streaming = true}, .max_inflight_bytes = bound, .spill = disk_});
    control_.emplace(stream_limits{.max_inflight_bytes = bound, .wal_sender_timeout = 60s},
                     target_.position, now_);
    server_.connect(target_.position.acknowledged());
  }

  void finish() {
    fails_ = false;
    dies_ = false;
    for (auto round = 0; round < 100'000; ++round) {
      now_ += 300ms;
      server_.send_record();
      read();
      assemble();
      take();
      tick();
      confirm();
      status();
      if (server_.all_sent() && control_->in_flight() == fold_->open_bytes() &&
          deliveries_.empty() && chunks_.empty() && round > 200)
        return;
    }
    FAIL("the stream stood still");
  }

  std::mt19937 random_;
  moment now_{1h};
  model_server server_;
  model_target target_;
  counted& seen_;
  std::shared_ptr<memory_spill> disk_ = std::make_shared<memory_spill>();
  batch_delivery asked_;
  std::optional<stream_control> control_;
  std::optional<stream_assembler> fold_;
  std::optional<batch> batch_;
  std::deque<std::shared_ptr<const chunk>> chunks_;        ///< Null: what waits is to be settled.
  std::deque<std::shared_ptr<const delivery>> deliveries_; ///< As well.
  std::deque<std::pair<watermark, std::uint64_t>> durables_;
  std::vector<std::shared_ptr<const relation>> arriving_; ///< Shapes of the transaction to come,
  std::vector<std::shared_ptr<const relation>> fresh_;    ///< of what is not durable yet,
  std::vector<std::shared_ptr<const relation>> known_;    ///< and those that are.
  std::shared_ptr<const schema_change> told_;
  std::optional<std::size_t> columns_; ///< Of the last row that was taken.
  bool fails_ = false;
  bool dies_ = false;
};

} // namespace

TEST_CASE("whatever meets a batch, nothing of it is lost, doubled or acknowledged too early",
          "[delivery][unit]") {
  counted seen;
  for (auto seed = 1U; seed <= 150U; ++seed) {
    INFO("seed " << seed);
    batch_simulation{seed, seen}.run(3000);
  }
  CHECK(seen.rarest() > 50);
}
