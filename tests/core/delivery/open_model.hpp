// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/tests/core/delivery/wal_record.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

/// The long transactions of a model of a server: what is written of them, and how it is sent.
class open_model {
public:
  explicit open_model(std::mt19937& random) : random_{&random} {}

  /// The next step of one of them, from `start` to `end`.
  wal_record write(std::uint64_t start, std::uint64_t end) {
    wal_record record{record_kind::open_row, start, end, false};
    if (written_.empty() || (written_.size() < 8 && one_in(3))) {
      record.top = record.sub = next_xid_++;
      written_[record.top].push_back({record.sub, start});
      return record;
    }
    auto chosen = std::next(written_.begin(), static_cast<long>(draw(written_.size())));
    record.top = chosen->first;
    auto& rows = chosen->second;
    record.sub = rows.empty() || one_in(3) ? next_xid_++ : rows[draw(rows.size())].first;
    switch (draw(10)) {
      case 0:
        record.kind = record_kind::open_commit;
        for (const auto& [sub, at] : rows)
          committed_[start].push_back(at);
        written_.erase(chosen);
        break;
      case 1:
        record.kind = record_kind::rollback;
        written_.erase(chosen);
        break;
      case 2:
      case 3:
        if (record.sub == record.top)
          return row_of(rows, record);
        record.kind = record_kind::part_rollback;
        std::erase_if(rows, [&](const auto& one) { return one.first == record.sub; });
        break;
      default: return row_of(rows, record);
    }
    return record;
  }

  /// The rows that are left of the transaction with this commit.
  [[nodiscard]] const std::vector<std::uint64_t>& rows_at(std::uint64_t commit) const {
    static const std::vector<std::uint64_t> none;
    const auto found = committed_.find(commit);
    return found == committed_.end() ? none : found->second;
  }

  void disconnect() {
    reading_.clear();
    announced_ = false;
  }

  /// Reads a record that is not to be sent.
  void absorb(const wal_record& record) {
    auto& of = reading_[record.top];
    if (record.kind == record_kind::open_row)
      of.unsent.push_back({record.sub, record.start});
    else if (record.kind == record_kind::part_rollback)
      std::erase_if(of.unsent, [&](const auto& one) { return one.first == record.sub; });
    else
      reading_.erase(record.top);
  }

  /// Reads a record. @returns the frames that are sent for it.
  std::vector<std::string> send(const wal_record& record) {
    frames_.clear();
    at_ = lsn{record.start};
    auto& of = reading_[record.top];
    switch (record.kind) {
      case record_kind::open_row:
        absorb(record);
        if (one_in(2))
          send_segment(record.top, of);
        break;
      case record_kind::part_rollback:
        absorb(record);
        if (of.sent_parts.contains(record.sub))
          put(stream_abort_payload(record.top, record.sub));
        break;
      case record_kind::rollback: send_rollback(record.top, of); break;
      default: send_commit(record.top, of); break;
    }
    return std::move(frames_);
  }

private:
  using row = std::pair<std::uint32_t, std::uint64_t>;

  /// How far the client knows a transaction.
  struct reading {
    std::vector<row> unsent;
    std::set<std::uint32_t> sent_parts;
    bool streamed = false;
    bool announced = false;
  };

  static wal_record row_of(std::vector<row>& rows, const wal_record& record) {
    rows.push_back({record.sub, record.start});
    return record;
  }

  std::string insert_of(std::uint64_t at) const {
    return insert_payload(streamed_table, {std::to_string(at), std::string(at % 500, 'x')});
  }

  static std::string announcement() {
    return relation_payload(streamed_table, "streamed", {"id", "filling"});
  }

  void send_segment(std::uint32_t top, reading& of) {
    put(stream_start_payload(top, !of.streamed));
    of.streamed = true;
    for (const auto& [sub, at] : std::exchange(of.unsent, {})) {
      if (!std::exchange(of.announced, true))
        put(in_segment(sub, announcement()));
      put(in_segment(sub, insert_of(at)));
      of.sent_parts.insert(sub);
    }
    put(stream_stop_payload());
  }

  void send_rollback(std::uint32_t top, const reading& of) {
    if (of.streamed) {
      for (const auto sub : of.sent_parts)
        if (sub != top)
          put(stream_abort_payload(top, sub));
      put(stream_abort_payload(top, top));
    }
    reading_.erase(top);
  }

  void send_commit(std::uint32_t top, reading& of) {
    if (of.streamed) {
      if (!of.unsent.empty())
        send_segment(top, of);
      put(stream_commit_payload(top, at_));
      announced_ = announced_ || of.announced; // To everybody from here on.
    } else {
      put(begin_payload(at_, top));
      if (!of.unsent.empty() && !std::exchange(announced_, true))
        put(announcement());
      for (const auto& one : of.unsent)
        put(insert_of(one.second));
      put(commit_payload(at_));
    }
    reading_.erase(top);
  }

  void put(const std::string& payload) { frames_.push_back(data_frame(at_, payload)); }

  std::size_t draw(std::size_t count) { return (*random_)() % count; }

  bool one_in(std::size_t count) { return draw(count) == 0; }

  std::mt19937* random_;
  std::uint32_t next_xid_ = 1000;
  std::map<std::uint32_t, std::vector<row>> written_; ///< By transaction, what is open and left.
  std::map<std::uint64_t, std::vector<std::uint64_t>> committed_; ///< By commit.
  std::map<std::uint32_t, reading> reading_;
  bool announced_ = false; ///< Outside of segments.
  lsn at_{};
  std::vector<std::string> frames_;
};

} // namespace replicant::test
