// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/session_identity.hpp"
#include "replicant/core/model/timestamp.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstdint>
#include <string>

namespace replicant {

/// What was committed while nobody listened.
struct stream_gap {
  watermark after;      ///< Everything up to here was seen.
  timestamp after_time; ///< When it was.
  lsn resumed;          ///< From here on everything is seen again.
  timestamp resumed_time;
};

/// How many changes and messages of a transaction are wanted, and how many of them are shown.
struct shown_part {
  std::uint64_t wanted = 0;
  std::uint64_t shown = 0;

  [[nodiscard]] bool cut() const { return shown < wanted; }
};

/// The form in which a stream is shown. Everything is appended to a text that others carry away.
class tail_format {
public:
  virtual ~tail_format() = default;

  /// The stream begins for the first time.
  virtual void header(std::string& out, const session_identity& source) = 0;

  /// The stream begins again.
  virtual void gap(std::string& out, const stream_gap& what) = 0;

  /// A table has changed whose rows the next transaction holds.
  virtual void schema_change(std::string& out, const replicant::schema_change& what) = 0;

  /// A transaction: `begin`, its shown events, `end`.
  virtual void begin(std::string& out, const transaction& txn, const shown_part& part) = 0;

  /// @fault decode_failure when a row does not fit its table or holds a binary cell; the text is of
  /// no use then.
  [[nodiscard]] virtual result<void> add(std::string& out, const event& one) = 0;

  virtual void end(std::string& out, const transaction& txn, const shown_part& part) = 0;

  /// A message that stands outside of transactions.
  virtual void message(std::string& out, const logical_message& one) = 0;
};

} // namespace replicant
