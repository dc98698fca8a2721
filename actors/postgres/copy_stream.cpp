// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/copy_stream.hpp"

#include "replicant/actors/postgres/libpq_handles.hpp"

#include <poll.h>

namespace replicant::postgres {

void copy_stream::releaser::operator()(char* what) const {
  PQfreemem(what);
}

copy_stream::copy_stream(connection& over)
  : over_{over}, encrypted_{PQsslInUse(over.handle()) != 0 || PQgssEncInUse(over.handle()) != 0} {}

// What one read leaves in the socket poll sees, so a plain stream is read once and then waited for,
// unless the read has brought so much that more is likely.
// Under encryption bytes can stay below libpq, where poll does not see them. It makes room for a
// whole message as soon as it knows its length, so that happens only behind a complete frame, and
// reading until nothing comes of it finds them.
result<std::optional<std::string_view>> copy_stream::next_frame() {
  constexpr std::size_t much = std::size_t{32} * 1024;
  frame_.reset();
  if (ended_)
    return ending();
  for (int reads = 0;; ++reads) {
    char* frame = nullptr;
    const auto size = PQgetCopyData(over_.handle(), &frame, 1);
    frame_.reset(frame);
    if (const auto code = over_.passed_over_publication())
      return failure({.why = reason::publication_too_new, .code = *code});
    if (size > 0) {
      brought_ += static_cast<std::size_t>(size);
      return std::string_view{frame, static_cast<std::size_t>(size)};
    }
    if (size < 0) {
      ended_ = true;
      return ending();
    }
    if (broken_)
      return failure(over_.lost());
    if (encrypted_ ? reads == 2 : has_read_ && brought_ < much) {
      has_read_ = false;
      return std::nullopt;
    }
    // What came before the break is still to be delivered.
    broken_ = PQconsumeInput(over_.handle()) == 0;
    has_read_ = true;
    brought_ = 0;
  }
}

result<std::optional<std::string_view>> copy_stream::ending() {
  if (const auto why = over_.why_ended())
    return failure(*why);
  return std::nullopt;
}

result<void> copy_stream::send(std::string_view frame) {
  if (PQputCopyData(over_.handle(), frame.data(), static_cast<int>(frame.size())) != 1)
    return failure(over_.why_ended().value_or(over_.lost()));
  return flush();
}

result<void> copy_stream::flush() {
  const auto left = PQflush(over_.handle());
  if (left < 0)
    return failure(over_.lost());
  unsent_ = left > 0;
  return {};
}

void copy_stream::finish(deadline until) {
  frame_.reset();
  if (ended_ || PQputCopyEnd(over_.handle(), nullptr) != 1 || !discard(until))
    return;
  // The server releases the slot before it answers.
  while (over_.await_result(until)) {
    const result_handle answer{PQgetResult(over_.handle())};
    if (answer == nullptr)
      return;
  }
}

bool copy_stream::discard(deadline until) {
  while (std::chrono::steady_clock::now() < until) {
    const auto sent = flush();
    char* frame = nullptr;
    const auto size = PQgetCopyData(over_.handle(), &frame, 1);
    frame_.reset(frame);
    if (size < 0)
      return size == -1;
    if (size > 0)
      continue;
    const auto events = static_cast<short>(unsent_ ? POLLIN | POLLOUT : POLLIN);
    if (!sent || !over_.wait_for(events, until) || PQconsumeInput(over_.handle()) == 0)
      return false;
  }
  return false;
}

} // namespace replicant::postgres
