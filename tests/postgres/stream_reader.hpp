// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/protocol/replication_source.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace replicant::test {

/// A standby status update that confirms `position` as written, flushed and applied.
[[nodiscard]] std::string status_update(lsn position);

/// Reads a started source as the connection does: drains it, then waits to be notified.
class stream_reader {
public:
  explicit stream_reader(replication_source& source) : source_{source} {}

  /// Waits until the source calls back. @returns whether it did within `patience`.
  bool wait(bool reading = true, std::chrono::milliseconds patience = std::chrono::seconds{20});

  /// Reads what is there now. Ends with the fault, if there is one.
  void drain();

  /// Reads until a transaction has been committed. @returns where its commit record starts; nothing
  /// when the stream failed or 20 s went by.
  std::optional<lsn> read_commit();

  /// Reads until a message with this tag has come. @returns it; nothing when the stream failed or
  /// 20 s went by.
  std::optional<std::string> read_message(char tag);

  /// Reads until the stream fails. @returns nothing when 20 s went by.
  std::optional<fault> read_to_the_end();

  /// Whether a row's text `value` was in what has been read.
  [[nodiscard]] bool seen(std::string_view value) const;

  /// The tags of all messages that have been read, in their order.
  [[nodiscard]] const std::string& tags() const { return tags_; }

  [[nodiscard]] const std::optional<fault>& failure() const { return failure_; }

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
  replication_source& source_;
  std::deque<std::string> frames_; ///< Payloads of XLogData that have not been looked at yet.
  std::string text_;
  std::string tags_;
  std::size_t bytes_ = 0;
  std::optional<fault> failure_;
};

} // namespace replicant::test
