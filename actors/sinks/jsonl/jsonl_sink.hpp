// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/jsonl_file.hpp"
#include "replicant/actors/sinks/jsonl/kept_state.hpp"
#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/actors/sinks/jsonl/recovery.hpp"
#include "replicant/actors/sinks/jsonl/rotation.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <chrono>
#include <memory>
#include <string>

namespace replicant {

struct jsonl_options {
  std::string path;
  std::chrono::milliseconds interval{0}; ///< The longest wait for a sync; zero: one per delivery.
  jsonl_rotation rotation{};
  line_options lines{};
};

/// Appends what happens to a file of JSON lines, each transaction exactly once.
///
/// The file is its own memory: its position is that of its last whole transaction, message or
/// progress line, or what its header says of the files before it. State beside the position stands
/// ahead of what it belongs to, and all of it at the beginning of every later file. A file that is
/// full or old enough is closed, once everything is durable, and the next one begun in its place;
/// no unit is split. Closed files are never looked into and may be moved away. The file is locked
/// as long as the object lives, grows by whole units only (the rest of a crash is cut off before
/// the next write), and nothing is reported durable before it is synced under its own path. What it
/// already holds is skipped. Memory is bounded by the longest line and the state. After a fault
/// every later call answers with the same one.
class jsonl_sink final : public sink,
                         public deferred_sink,
                         public frontier_sink,
                         public message_sink,
                         public schema_change_sink,
                         public session_sink,
                         public state_sink {
public:
  /// Opens or creates the file, locks it and finds out what it holds; writes nothing.
  /// @fault sink_locked, sink_unreadable, or sink_failed with the errno; ELOOP: a path that is a
  /// link cannot be rotated.
  [[nodiscard]] static result<std::unique_ptr<sink>> open(const jsonl_options& options);

  /// Leaves a hint that makes the next recovery short. What is not durable yet is not written.
  ~jsonl_sink() override;

  jsonl_sink(const jsonl_sink&) = delete;
  jsonl_sink(jsonl_sink&&) = delete;
  jsonl_sink& operator=(const jsonl_sink&) = delete;
  jsonl_sink& operator=(jsonl_sink&&) = delete;

  [[nodiscard]] result<void> handle_session_identity(const session_identity& identity) override;
  [[nodiscard]] result<sink_checkpoint> checkpoint() override;
  [[nodiscard]] result<void> handle_stream_start(stream_start how,
                                                 const session_identity& identity) override;
  [[nodiscard]] result<void> handle_transaction(const transaction& txn) override;
  [[nodiscard]] result<void> handle_message(const logical_message& message) override;
  [[nodiscard]] result<void> handle_schema_change(const schema_change& what) override;
  [[nodiscard]] result<void> handle_frontier(watermark reached) override;
  [[nodiscard]] result<void> handle_state(const state_entry& entry) override;
  [[nodiscard]] result<void> make_durable() override;
  [[nodiscard]] std::chrono::milliseconds durability_interval() const override;

private:
  using clock = std::chrono::steady_clock;

  jsonl_sink(const jsonl_options& options, jsonl_file file, recovered_file found);

  [[nodiscard]] result<void> write_header(const session_identity& identity);
  [[nodiscard]] result<void> write_events(const transaction& txn);
  [[nodiscard]] result<void> write_out();
  [[nodiscard]] result<void> write_out_when_full();

  [[nodiscard]] bool holds_unit() const;
  [[nodiscard]] result<void> begin_next_file();

  void begin_unit();

  void leave_hint();

  std::chrono::milliseconds interval_;
  jsonl_rotation rotation_;
  jsonl_file file_;
  recovered_file found_;
  line_writer lines_;
  kept_state state_;
  watermark written_;                      ///< What the file and the buffer hold.
  std::uint64_t last_unit_ = 0;            ///< Where the last unit in file and buffer begins.
  sync_hint synced_;                       ///< As of the last `make_durable`.
  std::uint64_t hinted_ = 0;               ///< What the hint on disk was told to be synced.
  clock::time_point begun_ = clock::now(); ///< When this run began the file or opened it.
  std::optional<fault> failure_;
};

} // namespace replicant
