// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/delivery/stream_control.hpp"
#include "replicant/tests/core/delivery/stream_model.hpp"
#include "replicant/tests/support/memory_spill.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <vector>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;

// The rules of a stream against a model of a server, a socket and a sink that are all as unkind as
// they may be: traffic that is not published, keepalives at every border, a sink that syncs late,
// and kills at any moment. The same seeds give the same runs.

namespace {

constexpr std::uint64_t bound = 3000;

/// Writes at once, is durable only after a sync; a kill keeps what was written, a power loss what
/// was synced.
struct model_sink {
  struct state {
    std::vector<std::uint64_t> taken;
    watermark position = watermark::before(lsn{100});
  };

  void take(const delivery& content) {
    for (const auto& item : content.items) {
      if (promised_by(item) == watermark{})
        continue; // What is told of tables.
      written.taken.push_back(promised_by(item).position().value());
      written.position.advance(promised_by(item));
    }
    if (content.frontier)
      written.position.advance(*content.frontier);
  }

  state written;
  state synced;
};

/// What has happened often enough to have been tested.
struct counted {
  assembly_news made;
  std::uint64_t spilled_deliveries = 0;
};

class simulation {
public:
  simulation(std::uint32_t seed, counted& seen)
    : random_{seed},
      server_{random_,
              {record_kind::transaction, record_kind::transaction, record_kind::empty_transaction,
               record_kind::message, record_kind::unpublished, record_kind::open_step,
               record_kind::open_step, record_kind::open_step}},
      seen_{seen} {
    restart();
  }

  void run(int steps) {
    for (auto step = 0; step < steps; ++step) {
      this->step();
      // Never acknowledged too early: what the slot has passed is synced.
      REQUIRE(server_.confirmed <= sink_.synced.position.acknowledged().value());
    }
    settle();
    CHECK(sink_.synced.taken == server_.oracle());
  }

private:
  void step() {
    now_ += std::chrono::milliseconds{random_() % 400};
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
      case 9: assemble(); break;
      case 10:
      case 11: take(); break;
      case 12: sync(); break;
      case 13: confirm(); break;
      case 14: status(); break;
      case 15:
        if (random_() % 8 == 0)
          kill();
        break;
    }
  }

  void read() {
    for (auto count = random_() % 6; count > 0 && control_->decide_reading(now_); --count)
      if (const auto frame = server_.receive())
        REQUIRE(control_->on_frame(*frame, now_));
    if (auto source = control_->next_chunk(now_, random_() % 2 == 0))
      chunks_.push_back(std::move(source));
  }

  void assemble() {
    if (chunks_.empty())
      return;
    auto made = fold_->consume(chunks_.front());
    chunks_.pop_front();
    REQUIRE(made);
    control_->on_assembled(made->empty() ? made->charged_bytes : 0, fold_->open_bytes());
    seen_.made += fold_->take_news();
    REQUIRE(fold_->open_bytes() <= bound / 2);
    if (!made->empty())
      deliveries_.push_back(std::move(*made));
  }

  void take() {
    if (deliveries_.empty())
      return;
    judge(deliveries_.front());
    sink_.take(deliveries_.front());
    unsynced_bytes_ += deliveries_.front().charged_bytes;
    reached_ = deliveries_.front().reached;
    deliveries_.pop_front();
  }

  void judge(const delivery& content) {
    for (const auto& item : content.items)
      if (const auto* const txn = std::get_if<transaction>(&item)) {
        REQUIRE(long_rows_of(*txn) == server_.rows_at(txn->commit_lsn.value()));
        seen_.spilled_deliveries += txn->spilled() ? 1 : 0;
      }
  }

  void sync() {
    sink_.synced = sink_.written;
    if (unsynced_bytes_ > 0 || reached_)
      durables_.emplace_back(reached_.value_or(watermark{}), std::exchange(unsynced_bytes_, 0));
    reached_.reset();
  }

  void confirm() {
    if (durables_.empty())
      return;
    control_->on_durable(durables_.front().first, durables_.front().second);
    durables_.pop_front();
  }

  void status() {
    if (const auto update = control_->take_status(now_)) {
      // Old servers would take a lower position at its word.
      REQUIRE(update->flushed.value() >= server_.confirmed);
      server_.confirmed = update->flushed.value();
    }
  }

  void kill() {
    if (random_() % 2 == 0)
      sink_.written = sink_.synced;
    sink_.synced = sink_.written; // A sink syncs before it trusts what it found.
    restart();
  }

  void restart() {
    const auto resume = sink_.synced.position;
    chunks_.clear();
    deliveries_.clear();
    durables_.clear();
    unsynced_bytes_ = 0;
    reached_.reset();
    fold_.reset();
    REQUIRE(disk_->files() == 0);
    fold_.emplace(
      resume, false, schema_memory{},
      open_rules{.dialect = {.streaming = true}, .max_inflight_bytes = bound, .spill = disk_});
    control_.emplace(stream_limits{.max_inflight_bytes = bound, .wal_sender_timeout = 60s}, resume,
                     now_);
    server_.connect(resume.acknowledged());
  }

  void settle() {
    for (auto round = 0; round < 100'000; ++round) {
      now_ += 300ms;
      server_.send_record();
      read();
      assemble();
      take();
      sync();
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
  counted& seen_;
  std::shared_ptr<memory_spill> disk_ = std::make_shared<memory_spill>();
  model_sink sink_;
  std::optional<stream_control> control_;
  std::optional<stream_assembler> fold_;
  std::deque<std::shared_ptr<const chunk>> chunks_;
  std::deque<delivery> deliveries_;
  std::deque<std::pair<watermark, std::uint64_t>> durables_;
  std::uint64_t unsynced_bytes_ = 0;
  std::optional<watermark> reached_;
};

} // namespace

TEST_CASE("whatever is killed whenever, nothing is lost, doubled or acknowledged too early",
          "[delivery][unit]") {
  counted seen;
  for (auto seed = 1U; seed <= 150U; ++seed) {
    INFO("seed " << seed);
    simulation{seed, seen}.run(3000);
  }
  CHECK(seen.made.streamed > 500);
  CHECK(seen.made.rolled_back > 500);
  CHECK(seen.made.spills > 500);
  CHECK(seen.spilled_deliveries > 200);
}
