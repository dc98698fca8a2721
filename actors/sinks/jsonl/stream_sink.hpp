// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace replicant {

/// A descriptor, as standard output, that takes the lines of one pipeline over all its generations.
/// One thread at a time.
class line_stream {
public:
  /// `descriptor` stays the caller's. SIGPIPE has to be ignored by the process.
  explicit line_stream(int descriptor) : descriptor_{descriptor} {}

  /// Writes the header, unless an earlier generation has. @fault as for `write`.
  [[nodiscard]] result<void> begin(const session_identity& source);

  /// The header that was written.
  [[nodiscard]] const std::optional<header_line>& header() const { return header_; }

  /// Waits until all bytes are taken.
  /// @fault sink_failed with the errno. It is final, because a part of a line may have been taken
  /// and nothing may follow it.
  [[nodiscard]] result<void> write(std::string_view lines);

private:
  int descriptor_;
  std::optional<header_line> header_;
  std::optional<fault> failure_;
};

/// Writes JSON lines to a stream and remembers nothing: at least once.
///
/// Durable means that the reader's side, a pipe or a file, has taken all bytes. What was taken and
/// not acknowledged when the program ended comes again in its next run, and so does a transaction
/// in which a connection broke: one without its commit line is to be dropped. Memory is bounded by
/// the longest line, and a slow reader blocks the calls.
class stream_sink final : public sink,
                          public deferred_sink,
                          public frontier_sink,
                          public message_sink,
                          public schema_change_sink,
                          public session_sink {
public:
  explicit stream_sink(std::shared_ptr<line_stream> stream, line_options lines = {})
    : stream_{std::move(stream)}, lines_{std::move(lines)} {}

  [[nodiscard]] result<void> handle_session_identity(const session_identity& identity) override;

  [[nodiscard]] result<sink_checkpoint> checkpoint() override { return sink_checkpoint{}; }

  [[nodiscard]] result<void> handle_stream_start(stream_start how,
                                                 const session_identity& identity) override;
  [[nodiscard]] result<void> handle_transaction(const transaction& txn) override;
  [[nodiscard]] result<void> handle_message(const logical_message& message) override;
  [[nodiscard]] result<void> handle_schema_change(const schema_change& what) override;
  [[nodiscard]] result<void> handle_frontier(watermark reached) override;
  [[nodiscard]] result<void> make_durable() override;

  [[nodiscard]] std::chrono::milliseconds durability_interval() const override {
    return std::chrono::milliseconds{0};
  }

private:
  [[nodiscard]] result<void> write_out();
  [[nodiscard]] result<void> write_out_when_full();

  std::shared_ptr<line_stream> stream_;
  line_writer lines_;
  std::optional<fault> failure_;
};

} // namespace replicant
