// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/replication_source.hpp"

#include "replicant/actors/postgres/companion.hpp"
#include "replicant/actors/postgres/source_facts.hpp"
#include "replicant/actors/postgres/transport.hpp"
#include "replicant/core/protocol/replication_command.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <poll.h>

namespace replicant::postgres {

namespace {

/// START_REPLICATION is answered before anything is decoded.
constexpr std::chrono::seconds start_patience{60};

} // namespace

postgres_source::postgres_source(source_options options) : options_{std::move(options)} {}

result<source_facts> postgres_source::connect() {
  const auto where = conninfo::parse(options_.conninfo);
  if (!where)
    return failure(where.error());
  auto main = postgres::connect(*where, session_kind::replication, &interrupt_);
  if (!main)
    return failure(main.error());
  auto facts = read_facts(main->session, options_.slot_name, options_.publications);
  if (!facts)
    return facts;
  companion_ = open_companion(*main, &interrupt_);
  look_for_identities(*facts);
  replication_.emplace(std::move(main->session));
  return facts;
}

/// Only a warning comes of it: a server that does not let us look is none the worse.
void postgres_source::look_for_identities(source_facts& facts) {
  if (!companion_)
    return;
  auto found = find_unidentified(*companion_, options_.publications);
  if (found)
    facts.unidentified = std::move(*found);
  else if (!found.error().code.known())
    companion_.reset(); // It is of no more use.
}

result<lsn> postgres_source::create_slot() {
  if (!replication_ || reach(failpoint::before_slot_creation) != 0)
    return failure(reason::connection_lost);
  // The server waits for every transaction that runs now, however long that takes.
  const auto made = replication_->query(
    create_slot_command(options_.slot_name, options_.slot, replication_->server_version()));
  if (!made) {
    // A server that nobody tells would go on waiting and make the slot in the end, for nobody.
    if (interrupt_.raised() && companion_)
      cancel(*companion_, replication_->process_id());
    return failure(made.error());
  }
  if (reach(failpoint::after_slot_creation) != 0)
    return failure(reason::connection_lost);
  const auto point = parse_lsn(made->text(0, "consistent_point").value_or(std::string_view{}));
  if (!point)
    return failure(reason::command_failed);
  return *point;
}

result<void> postgres_source::start(lsn from, bool streaming) {
  if (!replication_ || reach(failpoint::before_stream) != 0)
    return failure(reason::connection_lost);
  const stream_request what{.slot = options_.slot_name,
                            .from = from,
                            .publications = options_.publications,
                            .messages = options_.messages,
                            .binary = options_.binary,
                            .streaming = streaming};
  tighten_window(replication_->watched());
  if (auto widened = replication_->widen_input(in(start_patience)); !widened)
    return widened;
  if (auto started = replication_->start_copy(start_replication_command(what), in(start_patience));
      !started)
    return started;
  stream_.emplace(*replication_);
  return {};
}

result<std::optional<std::string_view>> postgres_source::next_frame() {
  if (!stream_)
    return failure(reason::connection_lost);
  return stream_->next_frame();
}

result<void> postgres_source::send(std::string_view frame) {
  if (!stream_)
    return failure(reason::connection_lost);
  return stream_->send(frame);
}

result<void> postgres_source::flush() {
  // Whoever does not read would never hear of a dead peer.
  if (!stream_ || (!reading_ && replication_->hung_up()))
    return failure(reason::connection_lost);
  return stream_->flush();
}

std::chrono::microseconds postgres_source::gathering_limit() const {
  return replication_ ? gathering_limit_of(transport_of(replication_->watched()))
                      : std::chrono::microseconds{0};
}

void postgres_source::let_gather(std::chrono::microseconds span) {
  interrupt_.wait(span);
}

void postgres_source::notify(bool reading, std::function<void()> ready) {
  reading_ = reading;
  readiness::sockets which;
  if (stream_) {
    const auto reads = reading ? POLLIN : 0;
    const auto writes = stream_->unsent() ? POLLOUT : 0;
    which[0] = {replication_->watched(), static_cast<short>(reads | writes)};
  }
  if (companion_ && !leaving_)
    which[1] = {companion_->watched(), POLLIN};
  readiness_.arm(which, std::move(ready));
}

bool postgres_source::server_is_leaving() {
  if (!leaving_ && companion_)
    leaving_ = companion_->server_ended_it();
  return leaving_;
}

void postgres_source::ask_of_slot() {
  if (companion_ && !leaving_)
    inquiry_.ask(*companion_, options_.slot_name);
}

std::optional<slot_standing> postgres_source::slot_answer() {
  return companion_ ? inquiry_.answer(*companion_) : std::nullopt;
}

void postgres_source::finish(std::chrono::milliseconds patience) {
  readiness_.stop();
  // It has a patience of its own, and an interrupt meant for the connect chain may come late.
  if (replication_)
    replication_->ignore_interrupt();
  // A socket that is closed with unread input is reset, which may destroy our last status.
  if (stream_)
    stream_->finish(in(patience));
  stream_.reset();
  companion_.reset();
  replication_.reset();
}

void postgres_source::interrupt() {
  interrupt_.raise();
}

} // namespace replicant::postgres
