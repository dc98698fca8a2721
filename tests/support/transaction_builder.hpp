// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/transaction.hpp"

#include <deque>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace replicant::test {

inline cell text(std::string_view bytes) {
  return {cell_kind::text, bytes};
}

inline constexpr cell null_cell{cell_kind::null, {}};
inline constexpr cell unchanged_cell{cell_kind::unchanged, {}};

/// A transaction body that owns everything its events refer to.
class memory_body final : public transaction_body {
public:
  std::vector<event> events;
  std::deque<relation> tables;
  std::deque<std::vector<cell>> rows;
  std::deque<std::string> texts;

  [[nodiscard]] std::unique_ptr<event_cursor> open() const override {
    return std::make_unique<cursor>(events);
  }

  [[nodiscard]] std::size_t size() const override { return events.size(); }

private:
  class cursor final : public event_cursor {
  public:
    explicit cursor(const std::vector<event>& events) : events_{&events} {}

    const event* next() override { return at_ < events_->size() ? &(*events_)[at_++] : nullptr; }

  private:
    const std::vector<event>* events_;
    std::size_t at_ = 0;
  };
};

/// Builds a transaction from literals; copies tables and cells, so nothing has to outlive it.
class transaction_builder {
public:
  explicit transaction_builder(lsn commit, std::uint32_t xid = 745, timestamp time = {})
    : commit_{commit}, xid_{xid}, time_{time} {}

  transaction_builder& insert(const relation& table, std::initializer_list<cell> record) {
    return add({.op = operation::insert, .table = keep(table), .record = keep(record), .old = {}});
  }

  transaction_builder& update(const relation& table, std::initializer_list<cell> record,
                              old_image kind = old_image::none,
                              std::initializer_list<cell> old = {}) {
    return add({.op = operation::update,
                .table = keep(table),
                .record = keep(record),
                .old = keep(old),
                .old_kind = kind});
  }

  transaction_builder& remove(const relation& table, old_image kind,
                              std::initializer_list<cell> old) {
    return add({.op = operation::remove,
                .table = keep(table),
                .record = {},
                .old = keep(old),
                .old_kind = kind});
  }

  transaction_builder& truncate(const relation& table, bool cascade, bool restart_identity) {
    return add({.op = operation::truncate,
                .table = keep(table),
                .record = {},
                .old = {},
                .cascade = cascade,
                .restart_identity = restart_identity});
  }

  transaction_builder& message(lsn at, std::string_view prefix, std::string_view content) {
    body_->events.emplace_back(
      logical_message{true, at, next_ordinal(), keep(prefix), keep(content)});
    return *this;
  }

  [[nodiscard]] transaction build() const { return {xid_, commit_, time_, body_}; }

private:
  transaction_builder& add(change one) {
    one.ordinal = next_ordinal();
    body_->events.emplace_back(one);
    return *this;
  }

  [[nodiscard]] std::uint32_t next_ordinal() const {
    return static_cast<std::uint32_t>(body_->events.size());
  }

  const relation* keep(const relation& table) {
    if (body_->tables.empty() || body_->tables.back() != table)
      body_->tables.push_back(table);
    return &body_->tables.back();
  }

  std::string_view keep(std::string_view bytes) { return body_->texts.emplace_back(bytes); }

  tuple keep(std::initializer_list<cell> cells) {
    auto& row = body_->rows.emplace_back(cells);
    for (auto& one : row)
      one.bytes = keep(one.bytes);
    return row;
  }

  lsn commit_;
  std::uint32_t xid_;
  timestamp time_;
  std::shared_ptr<memory_body> body_ = std::make_shared<memory_body>();
};

} // namespace replicant::test
