// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/protocol/replication_frame.hpp"
#include "replicant/core/protocol/replication_source.hpp"
#include "replicant/tests/support/call_plan.hpp"
#include "replicant/tests/support/journal.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace replicant {

enum class source_call {
  make,
  connect,
  create_slot,
  start,
  next_frame,
  send,
  flush,
  finish,
};

/// A server by script, over all connections that are made to it: what it answers and sends, and
/// what it was asked and told. Any thread may call any member.
///
/// It starts with a slot confirmed to 100 and nothing to send.
class scripted_server {
public:
  explicit scripted_server(std::shared_ptr<journal> log);

  call_plan<source_call> plan;

  /// Changes what the next connection will be told.
  void change_facts(const std::function<void(source_facts&)>& change);

  /// Of the source, as the next connection will be told.
  [[nodiscard]] session_identity identity() const;

  /// The slot is confirmed up to here.
  void hold_slot(lsn confirmed);

  /// Puts frames into the stream. What a connection has not read when it breaks is lost.
  void send(const std::vector<std::string>& frames);

  void send_transaction(std::uint64_t commit, std::size_t rows = 1, std::size_t width = 8);

  /// The commits of all `send_transaction`.
  [[nodiscard]] std::vector<std::uint64_t> commits_sent() const;

  void send_keepalive(std::uint64_t wal_end, bool reply_requested);

  /// Ends the running stream with `what`.
  void break_off(const fault& what);

  /// Tells the running connection that the server shuts down.
  void leave();

  /// What the server answers when it is asked of the slot; nothing at first.
  void slot_stands(const slot_standing& standing);

  /// Where each stream was asked to start.
  [[nodiscard]] std::vector<lsn> streams() const;

  /// Whether each of them was asked for open transactions.
  [[nodiscard]] std::vector<bool> streaming() const;

  /// Every status update, over all streams.
  [[nodiscard]] std::vector<status_update> statuses() const;

  /// What the slot is confirmed to.
  [[nodiscard]] lsn confirmed() const;

  /// Bytes of all frames that were read.
  [[nodiscard]] std::uint64_t bytes_read() const;

  [[nodiscard]] std::size_t frames_unread() const;

  /// Connections that exist now.
  [[nodiscard]] int open_connections() const;

  /// How often a connection was interrupted.
  [[nodiscard]] int interrupts() const;

  /// What the slot was confirmed to when each orderly end began.
  [[nodiscard]] std::vector<lsn> farewells() const;

  /// Called with the confirmed position of every status update.
  std::function<void(lsn)> on_confirmed;

  [[nodiscard]] source_factory connections();

private:
  friend class scripted_source;

  /// The callback to call now, if its time has come.
  [[nodiscard]] std::function<void()> take_ready();
  void wake(std::unique_lock<std::mutex> lock);

  std::shared_ptr<journal> log_;
  mutable std::mutex mutex_;
  source_facts facts_;
  std::deque<std::string> frames_;
  std::optional<fault> end_; ///< Of the running stream.
  bool leaving_ = false;
  std::optional<slot_standing> standing_;
  std::function<void()> ready_; ///< Stored until there is something to tell.
  bool ready_for_frames_ = false;
  std::vector<std::uint64_t> commits_sent_;
  std::vector<lsn> streams_;
  std::vector<bool> streaming_;
  std::vector<status_update> statuses_;
  std::vector<lsn> farewells_;
  std::uint64_t bytes_read_ = 0;
  int open_connections_ = 0;
  int interrupts_ = 0;
};

} // namespace replicant
