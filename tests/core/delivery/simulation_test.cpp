// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/delivery/stream_control.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <vector>

using namespace replicant;
using namespace std::chrono_literals;

// The rules of a stream against a model of a server, a socket and a sink that are all as unkind as
// they may be: traffic that is not published, keepalives at every border, a sink that syncs late,
// and kills at any moment. The same seeds give the same runs.

namespace {

constexpr std::uint32_t table = 16384;

enum class record_kind {
  transaction,
  empty_transaction,
  message,
  unpublished,
};

/// WAL without gaps: each record starts where the one before ends, as commit records really may.
struct wal_record {
  record_kind kind;
  std::uint64_t start;
  std::uint64_t end;
};

class model_server {
public:
  explicit model_server(std::mt19937& random) : random_{&random} {}

  void write() {
    static constexpr record_kind kinds[] = {record_kind::transaction, record_kind::transaction,
                                            record_kind::empty_transaction, record_kind::message,
                                            record_kind::unpublished};
    const auto start = end_;
    end_ += 1 + (*random_)() % 60;
    wal_.push_back({kinds[(*random_)() % 5], start, end_});
  }

  void connect(lsn from) {
    sent_.clear();
    announced_ = false;
    next_ = 0;
    const auto start = std::max(from.value(), confirmed);
    while (next_ < wal_.size() && wal_[next_].start < start)
      ++next_;
  }

  void send_record() {
    if (next_ == wal_.size())
      return;
    const auto& record = wal_[next_++];
    const lsn at{record.start};
    switch (record.kind) {
      case record_kind::unpublished: break;
      case record_kind::message:
        send(at, message_payload(false, lsn{record.end}, "p", std::to_string(record.start)));
        break;
      case record_kind::empty_transaction:
      case record_kind::transaction:
        send(at, begin_payload(at, 1));
        if (record.kind == record_kind::transaction) {
          if (!std::exchange(announced_, true))
            send(at, relation_payload(table, "t", {"id"}));
          send(at, insert_payload(table, {std::to_string(record.start)}));
          if ((*random_)() % 4 == 0)
            send(at, truncate_payload(std::vector(40, table)));
        }
        send(at, commit_payload(at));
        break;
    }
  }

  void send_keepalive() {
    const auto position =
      next_ == 0 ? (wal_.empty() ? end_ : wal_.front().start) : wal_[next_ - 1].end;
    sent_.push_back(keepalive_frame(lsn{position}, (*random_)() % 2 == 0));
  }

  [[nodiscard]] std::optional<std::string> receive() {
    if (sent_.empty())
      return std::nullopt;
    auto frame = std::move(sent_.front());
    sent_.pop_front();
    return frame;
  }

  [[nodiscard]] bool all_sent() const { return next_ == wal_.size() && sent_.empty(); }

  [[nodiscard]] std::vector<std::uint64_t> oracle() const {
    std::vector<std::uint64_t> positions;
    for (const auto& record : wal_)
      if (record.kind == record_kind::transaction)
        positions.push_back(record.start);
      else if (record.kind == record_kind::message)
        positions.push_back(record.end - 1);
    return positions;
  }

  std::uint64_t confirmed = 100;

private:
  void send(lsn at, std::string_view payload) { sent_.push_back(data_frame(at, payload)); }

  std::mt19937* random_;
  std::vector<wal_record> wal_;
  std::uint64_t end_ = 100;
  std::size_t next_ = 0;
  bool announced_ = false;
  std::deque<std::string> sent_;
};

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

class simulation {
public:
  explicit simulation(std::uint32_t seed) : random_{seed}, server_{random_} { restart(); }

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
    if (!made->empty())
      deliveries_.push_back(std::move(*made));
  }

  void take() {
    if (deliveries_.empty())
      return;
    sink_.take(deliveries_.front());
    unsynced_bytes_ += deliveries_.front().charged_bytes;
    reached_ = deliveries_.front().reached;
    deliveries_.pop_front();
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
    fold_.emplace(resume, false);
    control_.emplace(stream_limits{.max_inflight_bytes = 3000, .wal_sender_timeout = 60s}, resume,
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
      if (server_.all_sent() && control_->in_flight() == 0 && deliveries_.empty() &&
          chunks_.empty() && round > 200)
        return;
    }
    FAIL("the stream stood still");
  }

  std::mt19937 random_;
  moment now_{1h};
  model_server server_;
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
  for (auto seed = 1U; seed <= 150U; ++seed) {
    INFO("seed " << seed);
    simulation{seed}.run(3000);
  }
}
