// SPDX-License-Identifier: MIT
#include "replicant/tests/support/scripted_source.hpp"

#include "replicant/core/model/byte_reader.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <algorithm>
#include <stop_token>
#include <utility>

namespace replicant {

namespace {

source_facts usual_facts() {
  return {.identity = {.system_identifier = "7000000000000000001",
                       .timeline = 1,
                       .database = "shop",
                       .slot_name = "shop_slot"},
          .wal_position = lsn{1'000'000'000},
          .server_version = 150004,
          .wal_sender_timeout = std::chrono::seconds{60},
          .wal_level = "logical",
          .publications_exist = true,
          .slot = slot_facts{.logical = true,
                             .plugin = "pgoutput",
                             .database = "shop",
                             .restart = lsn{90},
                             .confirmed = lsn{100},
                             .wal_status = "reserved"}};
}

/// As a server reads it.
status_update decode_status(std::string_view frame) {
  byte_reader in{frame};
  static_cast<void>(in.u8());
  status_update told;
  told.written = lsn{in.u64()};
  told.flushed = lsn{in.u64()};
  told.applied = lsn{in.u64()};
  told.now = timestamp{static_cast<std::int64_t>(in.u64())};
  told.reply_requested = in.u8() != 0;
  return told;
}

} // namespace

/// One connection to a scripted server.
class scripted_source final : public replication_source {
public:
  explicit scripted_source(scripted_server& server) : server_{&server} {
    const std::lock_guard lock{server_->mutex_};
    ++server_->open_connections_;
  }

  ~scripted_source() override {
    const std::lock_guard lock{server_->mutex_};
    --server_->open_connections_;
    server_->ready_ = nullptr;
  }

  result<source_facts> connect() override {
    note("connect");
    if (auto met = reach(source_call::connect); !met)
      return failure(met.error());
    const std::lock_guard lock{server_->mutex_};
    return server_->facts_;
  }

  result<lsn> create_slot() override {
    note("create slot");
    if (auto met = reach(source_call::create_slot); !met)
      return failure(met.error());
    const std::lock_guard lock{server_->mutex_};
    const lsn consistent_point{500};
    server_->facts_.slot = usual_facts().slot;
    server_->facts_.slot->confirmed = consistent_point;
    return consistent_point;
  }

  result<void> start(lsn from, bool streaming) override {
    note("start " + std::to_string(from.value()));
    if (auto met = reach(source_call::start); !met)
      return met;
    const std::lock_guard lock{server_->mutex_};
    server_->end_.reset();
    server_->leaving_ = false;
    server_->streams_.push_back(from);
    server_->streaming_.push_back(streaming);
    return {};
  }

  result<std::optional<std::string_view>> next_frame() override {
    if (auto met = server_->plan.reach(source_call::next_frame); !met)
      return failure(met.error());
    const std::lock_guard lock{server_->mutex_};
    if (server_->end_)
      return failure(*server_->end_);
    if (server_->frames_.empty())
      return std::optional<std::string_view>{};
    current_ = std::move(server_->frames_.front());
    server_->frames_.pop_front();
    server_->bytes_read_ += current_.size();
    return std::optional<std::string_view>{current_};
  }

  result<void> send(std::string_view frame) override {
    if (auto met = server_->plan.reach(source_call::send); !met)
      return met;
    const auto told = decode_status(frame);
    if (server_->on_confirmed)
      server_->on_confirmed(told.flushed);
    const std::lock_guard lock{server_->mutex_};
    server_->statuses_.push_back(told);
    server_->facts_.slot->confirmed = told.flushed;
    return {};
  }

  result<void> flush() override {
    if (auto met = server_->plan.reach(source_call::flush); !met)
      return met;
    const std::lock_guard lock{server_->mutex_};
    if (!reading_ && server_->end_)
      return failure(reason::connection_lost);
    return {};
  }

  std::chrono::microseconds gathering_limit() const override { return {}; }

  void let_gather(std::chrono::microseconds) override {}

  void notify(bool reading, std::function<void()> ready) override {
    std::unique_lock lock{server_->mutex_};
    reading_ = reading;
    server_->ready_for_frames_ = reading;
    server_->ready_ = std::move(ready);
    server_->wake(std::move(lock));
  }

  bool server_is_leaving() override {
    const std::lock_guard lock{server_->mutex_};
    return server_->leaving_;
  }

  void ask_of_slot() override { asked_ = true; }

  std::optional<slot_standing> slot_answer() override {
    if (!std::exchange(asked_, false))
      return std::nullopt;
    const std::lock_guard lock{server_->mutex_};
    return server_->standing_;
  }

  void finish(std::chrono::milliseconds) override {
    note("finish");
    {
      const std::lock_guard lock{server_->mutex_};
      server_->ready_ = nullptr;
      server_->farewells_.push_back(*server_->facts_.slot->confirmed);
    }
    static_cast<void>(reach(source_call::finish));
  }

  void interrupt() override {
    {
      const std::lock_guard lock{server_->mutex_};
      ++server_->interrupts_;
    }
    interrupted_.request_stop();
  }

private:
  void note(std::string what) { server_->log_->note("source", std::move(what)); }

  result<void> reach(source_call at) { return server_->plan.reach(at, interrupted_.get_token()); }

  scripted_server* server_;
  std::stop_source interrupted_;
  bool reading_ = false;
  bool asked_ = false;
  std::string current_;
};

scripted_server::scripted_server(std::shared_ptr<journal> log)
  : log_{std::move(log)}, facts_{usual_facts()} {}

void scripted_server::change_facts(const std::function<void(source_facts&)>& change) {
  const std::lock_guard lock{mutex_};
  change(facts_);
}

void scripted_server::send(const std::vector<std::string>& frames) {
  std::unique_lock lock{mutex_};
  frames_.insert(frames_.end(), frames.begin(), frames.end());
  wake(std::move(lock));
}

void scripted_server::send_transaction(std::uint64_t commit, std::size_t rows, std::size_t width) {
  {
    const std::lock_guard lock{mutex_};
    commits_sent_.push_back(commit);
  }
  send(transaction_frames(commit, rows, width));
}

std::vector<std::uint64_t> scripted_server::commits_sent() const {
  const std::lock_guard lock{mutex_};
  return commits_sent_;
}

void scripted_server::send_keepalive(std::uint64_t wal_end, bool reply_requested) {
  send({keepalive_frame(lsn{wal_end}, reply_requested)});
}

void scripted_server::break_off(const fault& what) {
  std::unique_lock lock{mutex_};
  end_ = what;
  frames_.clear();
  wake(std::move(lock));
}

void scripted_server::leave() {
  std::unique_lock lock{mutex_};
  leaving_ = true;
  wake(std::move(lock));
}

void scripted_server::slot_stands(const slot_standing& standing) {
  const std::lock_guard lock{mutex_};
  standing_ = standing;
}

std::function<void()> scripted_server::take_ready() {
  if (leaving_ || end_ || (ready_for_frames_ && !frames_.empty()))
    return std::exchange(ready_, nullptr);
  return nullptr;
}

void scripted_server::wake(std::unique_lock<std::mutex> lock) {
  const auto ready = take_ready();
  lock.unlock();
  if (ready)
    ready();
}

std::vector<lsn> scripted_server::streams() const {
  const std::lock_guard lock{mutex_};
  return streams_;
}

std::vector<bool> scripted_server::streaming() const {
  const std::lock_guard lock{mutex_};
  return streaming_;
}

std::vector<status_update> scripted_server::statuses() const {
  const std::lock_guard lock{mutex_};
  return statuses_;
}

session_identity scripted_server::identity() const {
  const std::lock_guard lock{mutex_};
  return facts_.identity;
}

void scripted_server::hold_slot(lsn confirmed) {
  change_facts([confirmed](source_facts& facts) { facts.slot->confirmed = confirmed; });
}

lsn scripted_server::confirmed() const {
  const std::lock_guard lock{mutex_};
  return facts_.slot ? facts_.slot->confirmed.value_or(lsn{}) : lsn{};
}

std::uint64_t scripted_server::bytes_read() const {
  const std::lock_guard lock{mutex_};
  return bytes_read_;
}

std::size_t scripted_server::frames_unread() const {
  const std::lock_guard lock{mutex_};
  return frames_.size();
}

int scripted_server::open_connections() const {
  const std::lock_guard lock{mutex_};
  return open_connections_;
}

int scripted_server::interrupts() const {
  const std::lock_guard lock{mutex_};
  return interrupts_;
}

std::vector<lsn> scripted_server::farewells() const {
  const std::lock_guard lock{mutex_};
  return farewells_;
}

source_factory scripted_server::connections() {
  return [this]() -> std::unique_ptr<replication_source> {
    if (auto met = plan.reach(source_call::make); !met)
      return nullptr;
    return std::make_unique<scripted_source>(*this);
  };
}

} // namespace replicant
