// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/stream_sink.hpp"

#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/sinks/jsonl/pieces.hpp"

#include <string>

namespace replicant {

result<void> line_stream::begin(const session_identity& source) {
  if (header_)
    return {};
  const header_line first{.source = source};
  std::string line;
  append_header(line, first);
  auto done = write(line);
  if (done)
    header_ = first;
  return done;
}

result<void> line_stream::write(std::string_view lines) {
  if (!failure_)
    if (const auto error = write_all(descriptor_, lines); error != 0)
      failure_ = fault{.why = reason::sink_failed,
                       .facts = {fact{fact_kind::error_number, static_cast<std::uint64_t>(error)}}};
  return failure_ ? result<void>{failure(*failure_)} : result<void>{};
}

result<void> stream_sink::handle_session_identity(const session_identity& identity) {
  const auto& header = stream_->header();
  return header ? judge_identity(identity, same_as(header->source)) : result<void>{};
}

result<void> stream_sink::handle_stream_start(stream_start /*how*/,
                                              const session_identity& identity) {
  return stream_->begin(identity);
}

result<void> stream_sink::handle_transaction(const transaction& txn) {
  if (failure_)
    return failure(*failure_);
  auto done = write_transaction(lines_, txn, [this] { return write_out(); });
  if (!done) {
    // Half a line may be pending.
    failure_ = done.error();
    return done;
  }
  return write_out_when_full();
}

result<void> stream_sink::handle_message(const logical_message& message) {
  if (failure_)
    return failure(*failure_);
  lines_.message(message);
  return write_out_when_full();
}

result<void> stream_sink::handle_schema_change(const schema_change& what) {
  if (failure_)
    return failure(*failure_);
  lines_.announce(what);
  return {};
}

result<void> stream_sink::handle_frontier(watermark reached) {
  if (failure_)
    return failure(*failure_);
  lines_.progress(reached);
  return write_out_when_full();
}

result<void> stream_sink::make_durable() {
  return failure_ ? result<void>{failure(*failure_)} : write_out();
}

result<void> stream_sink::write_out() {
  auto done = stream_->write(lines_.pending());
  lines_.taken();
  return done;
}

result<void> stream_sink::write_out_when_full() {
  return lines_.pending().size() < piece_bytes ? result<void>{} : write_out();
}

} // namespace replicant
