// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/session_identity.hpp"
#include "replicant/core/model/slot_standing.hpp"
#include "replicant/core/protocol/timeline_history.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// A row of pg_replication_slots: what a start is judged by.
struct slot_facts {
  bool logical = false;
  std::string plugin;           ///< Empty for a physical slot.
  std::string database;         ///< Empty for a physical slot.
  std::uint64_t active_pid = 0; ///< 0 when nobody holds it.
  slot_holder holder = slot_holder::unknown;
  std::optional<lsn> restart; ///< Nothing while the slot is being made or after it was lost.
  std::optional<lsn> confirmed;
  std::string wal_status;          ///< reserved, extended, unreserved, lost; empty when unknown.
  bool conflicting = false;        ///< From 16 on.
  std::string invalidation_reason; ///< From 17 on; empty when valid.
  bool unpromoted = false;         ///< A standby's copy of its primary's slot. From 17 on.
  bool two_phase = false;          ///< It sends transactions when they are prepared.
};

/// Published tables whose rows cannot be told apart, so that the source refuses its own UPDATE and
/// DELETE of them.
struct tables_without_identity {
  std::vector<std::string> first; ///< At most 10, qualified and quoted as SQL takes them, sorted.
  std::uint64_t count = 0;        ///< All of them.

  friend bool operator==(const tables_without_identity&, const tables_without_identity&) = default;
};

/// What the source tells before anything is created or moved.
struct source_facts {
  session_identity identity;
  bool in_recovery = false;          ///< A standby: it may come to another timeline at any time.
  std::vector<timeline_end> history; ///< What lies behind the server's timeline; empty if untold.
  lsn wal_position{};                ///< Where the server's WAL ends now (IDENTIFY_SYSTEM).
  std::uint32_t server_version = 0;  ///< server_version_num.
  std::chrono::milliseconds wal_sender_timeout{0}; ///< 0: never.
  std::string wal_level;                           ///< minimal, replica or logical.
  bool publications_exist = false;                 ///< All of them.
  std::optional<slot_facts> slot;                  ///< Nothing: there is no slot of this name.
  tables_without_identity unidentified;
};

/// One replication connection from its first byte to its last: what the connection actor drives.
///
/// Every call comes from one thread. Before `start` calls may block (they end early when
/// interrupted); afterwards none does, except `finish` and, briefly, `let_gather`. After a fault
/// only destruction is allowed. No fault carries anything of the server's texts.
class replication_source {
public:
  virtual ~replication_source() = default;

  /// Connects, identifies the server first, pins and verifies the session, and reads the facts.
  [[nodiscard]] virtual result<source_facts> connect() = 0;

  /// Creates the logical slot. Waits for transactions that are open on the server, for as
  /// long as they take; when interrupted in that wait, no slot is left behind.
  /// @returns its consistent point (exclusive: see `watermark::before`).
  [[nodiscard]] virtual result<lsn> create_slot() = 0;

  /// Starts the stream at `from`; the server starts later when the slot is confirmed further.
  /// `streaming`: large transactions are sent while they are open.
  [[nodiscard]] virtual result<void> start(lsn from, bool streaming) = 0;

  /// The next frame that is here now, without waiting; nothing when a wait is needed.
  /// The view is valid until the next call of any member.
  /// @fault connection_lost or what the server's SQLSTATE says when the stream has ended.
  [[nodiscard]] virtual result<std::optional<std::string_view>> next_frame() = 0;

  /// Queues a frame and sends what the socket takes.
  [[nodiscard]] virtual result<void> send(std::string_view frame) = 0;

  /// Sends what `send` had to leave behind, if the socket takes it now.
  /// @fault connection_lost also when nobody reads (see `notify`) and the peer is gone.
  [[nodiscard]] virtual result<void> flush() = 0;

  /// The longest time for which data may gather in the socket before the server has to wait. Asked
  /// after `start`.
  [[nodiscard]] virtual std::chrono::microseconds gathering_limit() const = 0;

  /// Lets `span` pass, or less when interrupted. The one call of a running stream that waits.
  virtual void let_gather(std::chrono::microseconds span) = 0;

  /// Calls `ready` at most once, from any thread, when the stream may have something to read, when
  /// the companion session tells of the server's shutdown, when waiting bytes can be sent, or when
  /// the connection is gone. Set `reading` to false to be told of everything but readable data.
  ///
  /// A later call replaces an earlier one that has not been answered. Before it, call `next_frame`
  /// until it has nothing (if `reading`); after `ready`, call `server_is_leaving` and `flush`, or
  /// the same event is told again. `ready` must not block, throw or destroy the source.
  virtual void notify(bool reading, std::function<void()> ready) = 0;

  /// Whether the server has told a session of ours that it shuts down (57P01), or the companion
  /// session has ended. Stays true.
  [[nodiscard]] virtual bool server_is_leaving() = 0;

  /// Asks the server, in another session than the stream's, how much WAL the slot holds back. Does
  /// nothing while an answer is awaited, or where there is no such session.
  virtual void ask_of_slot() = 0;

  /// The answer, once, when it has come: `ready` is called for it too. None comes when the server
  /// does not let us look.
  [[nodiscard]] virtual std::optional<slot_standing> slot_answer() = 0;

  /// Ends the stream in order, so that the last status is processed: CopyDone both ways, at most
  /// `patience`. When the server answered in time, the slot is free when this returns. Allowed at
  /// any time, once; only destruction is allowed afterwards.
  virtual void finish(std::chrono::milliseconds patience) = 0;

  /// Ends a blocking call of another thread, now and for ever: it fails with `connection_lost`.
  /// `finish` goes by its patience alone. The only member that any thread may call.
  virtual void interrupt() = 0;
};

/// Makes the source of one generation.
using source_factory = std::function<std::unique_ptr<replication_source>()>;

} // namespace replicant
