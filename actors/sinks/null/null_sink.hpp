// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/crc32c.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace replicant {

/// What a null sink has counted.
struct null_counts {
  std::uint64_t transactions = 0;
  std::uint64_t changes = 0;
  std::uint64_t messages = 0; ///< Of both kinds.
  std::uint64_t bytes = 0;    ///< Of all cells and of the messages' prefixes and contents.
  /// Over operations, kinds of cells, lengths and bytes, in order: two runs agree when they were
  /// given the same rows in the same order, however often they reconnected. NULL, '' and unchanged
  /// differ; positions and times do not enter.
  crc32c checksum;
};

/// The counts of a pipeline over all its generations. Any thread.
class null_totals {
public:
  [[nodiscard]] null_counts read() const {
    const std::lock_guard lock{mutex_};
    return counts_;
  }

  void write(const null_counts& counts) {
    const std::lock_guard lock{mutex_};
    counts_ = counts;
  }

private:
  mutable std::mutex mutex_;
  null_counts counts_;
};

/// Counts what it is given and forgets it. Goes on from where `totals` stands and tells it of each
/// transaction as a whole, so a transaction that failed half-way is counted once in the end.
class null_sink final : public sink, public message_sink, public schema_change_sink {
public:
  explicit null_sink(std::shared_ptr<null_totals> totals) : totals_{std::move(totals)} {}

  [[nodiscard]] result<sink_checkpoint> checkpoint() override { return sink_checkpoint{}; }

  [[nodiscard]] result<void> handle_transaction(const transaction& txn) override;
  [[nodiscard]] result<void> handle_message(const logical_message& message) override;

  /// Any shape can be counted.
  [[nodiscard]] result<void> handle_schema_change(const schema_change& /*what*/) override {
    return {};
  }

private:
  std::shared_ptr<null_totals> totals_;
  std::string piece_; ///< What enters the checksum next; kept for its memory.
};

} // namespace replicant
