// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/transaction.hpp"
#include "replicant/tests/core/delivery/open_model.hpp"
#include "replicant/tests/core/delivery/wal_record.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

/// A server that is asked for its WAL again and again, each time from another position, and that
/// sends as a walsender does: long transactions in segments while they are open, or as a whole.
/// Each row, and each message, tells where its record starts.
class model_server {
public:
  /// `kinds` is what it writes, each as often as it is named.
  model_server(std::mt19937& random, std::vector<record_kind> kinds)
    : random_{&random}, kinds_{std::move(kinds)} {}

  void write() {
    const auto start = end_;
    end_ += 1 + (*random_)() % 60;
    const auto kind = kinds_[(*random_)() % kinds_.size()];
    if (kind == record_kind::open_step) {
      wal_.push_back(open_.write(start, end_));
      return;
    }
    wide_ = wide_ != (kind == record_kind::alteration);
    wal_.push_back({kind, start, end_, wide_});
  }

  /// What is open where it starts is sent all the same.
  void connect(lsn from) {
    sent_.clear();
    announced_.reset();
    open_.disconnect();
    next_ = 0;
    const auto start = std::max(from.value(), confirmed);
    while (next_ < wal_.size() && wal_[next_].start < start)
      open_.absorb(wal_[next_++]);
  }

  void send_record() {
    if (next_ == wal_.size())
      return;
    const auto& record = wal_[next_++];
    const lsn at{record.start};
    switch (record.kind) {
      case record_kind::open_step:
      case record_kind::unpublished: break;
      case record_kind::open_row:
      case record_kind::part_rollback:
      case record_kind::rollback:
      case record_kind::open_commit:
        for (const auto& frame : open_.send(record))
          sent_.push_back(frame);
        break;
      case record_kind::message:
        send(at, message_payload(false, lsn{record.end}, "p", std::to_string(record.start)));
        break;
      case record_kind::empty_transaction:
      case record_kind::transaction:
      case record_kind::alteration:
        send(at, begin_payload(at, 1));
        if (record.kind != record_kind::empty_transaction) {
          send_row(record);
          if ((*random_)() % 4 == 0)
            send(at, truncate_payload(std::vector(40, model_table)));
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
      if (record.kind == record_kind::transaction || record.kind == record_kind::alteration)
        positions.push_back(record.start);
      else if (record.kind == record_kind::message)
        positions.push_back(record.end - 1);
      else if (record.kind == record_kind::open_commit && !open_.rows_at(record.start).empty())
        positions.push_back(record.start);
    return positions;
  }

  /// The rows of a long transaction, by where they start; empty for any other.
  [[nodiscard]] const std::vector<std::uint64_t>& rows_at(std::uint64_t commit) const {
    return open_.rows_at(commit);
  }

  std::uint64_t confirmed = 100;

private:
  void send_row(const wal_record& record) {
    const lsn at{record.start};
    const auto start = std::to_string(record.start);
    if (std::exchange(announced_, record.wide) != record.wide)
      send(at, relation_payload(model_table, "t",
                                record.wide ? std::vector<std::string>{"id", "more"}
                                            : std::vector<std::string>{"id"}));
    send(at, insert_payload(model_table, record.wide ? std::vector<text_cell>{start, start}
                                                     : std::vector<text_cell>{start}));
  }

  void send(lsn at, std::string_view payload) { sent_.push_back(data_frame(at, payload)); }

  std::mt19937* random_;
  std::vector<record_kind> kinds_;
  bool wide_ = false; ///< The table as it is at the end of the WAL.
  std::vector<wal_record> wal_;
  std::uint64_t end_ = 100;
  std::size_t next_ = 0;
  std::optional<bool> announced_; ///< How the client knows the table.
  std::deque<std::string> sent_;
  open_model open_{*random_};
};

/// Where the rows of a long transaction start, as they were delivered.
inline std::vector<std::uint64_t> long_rows_of(const transaction& txn) {
  std::vector<std::uint64_t> rows;
  for (const auto& one : txn.events())
    if (const auto& row = std::get<change>(one); row.table->oid == streamed_table)
      rows.push_back(std::stoull(std::string{row.record.front().bytes}));
  return rows;
}

} // namespace replicant::test
