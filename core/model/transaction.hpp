// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/change.hpp"
#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/timestamp.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <utility>

namespace replicant {

/// Thrown in the middle of a pass when what a transaction has on disk cannot be read back: a range
/// has no other way to say that it is not whole. A sink lets it pass, and must not make durable
/// what it has seen of the transaction; the pipeline catches it and halts with `why`.
class unreadable_events final : public std::exception {
public:
  explicit unreadable_events(const fault& what) : why{what} {}

  [[nodiscard]] const char* what() const noexcept override { return "spilled events unreadable"; }

  fault why;
};

/// One pass over the events of a transaction. What `next` returns is valid until the next call.
class event_cursor {
public:
  virtual ~event_cursor() = default;

  /// @returns the next event, or nullptr after the last.
  /// @throws unreadable_events
  [[nodiscard]] virtual const event* next() = 0;
};

/// Where the events of a transaction are kept. A body can be opened as often as needed.
class transaction_body {
public:
  virtual ~transaction_body() = default;

  [[nodiscard]] virtual std::unique_ptr<event_cursor> open() const = 0;

  /// Changes and transactional messages together.
  [[nodiscard]] virtual std::size_t size() const = 0;

  /// Whether a part of them lies on disk.
  [[nodiscard]] virtual bool spilled() const { return false; }
};

/// The events of a transaction as a range: single-pass per `begin()`, and `begin()` may be called
/// again. It is lazy: of a transaction that was spilled a pass holds a block of some hundred
/// kilobytes at a time, and both `begin()` and `++` may throw `unreadable_events`.
class event_range {
public:
  class iterator {
  public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = event;
    using difference_type = std::ptrdiff_t;

    iterator() = default;

    explicit iterator(std::unique_ptr<event_cursor> cursor)
      : cursor_{std::move(cursor)}, current_{cursor_->next()} {}

    const event& operator*() const { return *current_; }

    iterator& operator++() {
      current_ = cursor_->next();
      return *this;
    }

    void operator++(int) { ++*this; }

    friend bool operator==(const iterator& left, std::default_sentinel_t /*end*/) {
      return left.current_ == nullptr;
    }

  private:
    std::unique_ptr<event_cursor> cursor_;
    const event* current_ = nullptr;
  };

  explicit event_range(const transaction_body& body) : body_{&body} {}

  [[nodiscard]] iterator begin() const { return iterator{body_->open()}; }

  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

  [[nodiscard]] std::size_t size() const { return body_->size(); }

private:
  const transaction_body* body_;
};

/// A committed transaction. Valid during the sink's call only; nothing in it may be kept.
class transaction {
public:
  std::uint32_t xid = 0;
  lsn commit_lsn{}; ///< Where the commit record starts: the transaction's identity and order.
  timestamp commit_time{};

  transaction(std::uint32_t id, lsn commit, timestamp time,
              std::shared_ptr<const transaction_body> body)
    : xid{id}, commit_lsn{commit}, commit_time{time}, body_{std::move(body)} {}

  [[nodiscard]] event_range events() const { return event_range{*body_}; }

  /// It was larger than what may be held in memory: better read once than kept.
  [[nodiscard]] bool spilled() const { return body_->spilled(); }

private:
  std::shared_ptr<const transaction_body> body_;
};

} // namespace replicant
