// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"

#include "replicant/core/telemetry/failpoint.hpp"

#include <utility>

namespace replicant {

namespace {

/// The buffer is written out when it holds this much.
constexpr std::size_t piece_bytes = std::size_t{256} * 1024;

/// How much may be synced before the hint is renewed: what a recovery has to walk at most.
constexpr std::uint64_t hint_distance = std::uint64_t{16} * 1024 * 1024;

/// The timeline of a server may change.
bool names(const header_line& header, const session_identity& identity) {
  return header.source.system_identifier == identity.system_identifier &&
         header.source.database == identity.database &&
         header.source.slot_name == identity.slot_name;
}

} // namespace

result<std::unique_ptr<sink>> jsonl_sink::open(const std::string& path,
                                               std::chrono::milliseconds interval) {
  auto file = jsonl_file::open(path);
  if (!file)
    return failure(file.error());
  auto found = recover(*file, read_sync_hint(*file));
  if (!found)
    return failure(found.error());
  return std::unique_ptr<sink>{new jsonl_sink{interval, std::move(*file), std::move(*found)}};
}

jsonl_sink::jsonl_sink(std::chrono::milliseconds interval, jsonl_file file, recovered_file found)
  : interval_{interval},
    file_{std::move(file)},
    found_{std::move(found)},
    written_{found_.durable.value_or(watermark{})},
    last_unit_{found_.last_unit} {}

jsonl_sink::~jsonl_sink() {
  leave_hint();
}

result<void> jsonl_sink::handle_session_identity(const session_identity& identity) {
  if (found_.header && !names(*found_.header, identity))
    return failure(reason::session_identity_rejected);
  return {};
}

result<sink_checkpoint> jsonl_sink::checkpoint() {
  if (!found_.header)
    return sink_checkpoint{.memory = sink_memory::empty};
  // What a killed program wrote without syncing was read back from memory, not from disk: the
  // position is a promise only after a sync of our own.
  if (const auto synced = file_.sync(); !synced)
    return failure(synced.error());
  if (!found_.durable)
    return sink_checkpoint{.memory = sink_memory::prepared};
  // So that an end without progress leaves a hint too: the next start may come soon.
  synced_ = {.last_unit = found_.last_unit, .synced = found_.length};
  return sink_checkpoint{.memory = sink_memory::position, .durable = *found_.durable};
}

result<void> jsonl_sink::handle_stream_start(stream_start how, const session_identity& identity) {
  if (const auto error = reach(failpoint::before_recovery_cut); error != 0)
    return file_.give_up(error);
  if (std::exchange(found_.torn, 0) != 0) {
    // Synced before anything is written: else a crash could bring the old tail back behind the new.
    auto cut = file_.cut(found_.length);
    if (cut)
      cut = file_.sync();
    if (!cut)
      return cut;
  }
  if (!found_.header)
    return write_header(identity);
  // A crash may have come between the header and its syncs.
  if (how == stream_start::fresh)
    return file_.sync_folder();
  return {};
}

result<void> jsonl_sink::write_header(const session_identity& identity) {
  // A file that was here before may have had the same inode.
  remove_sync_hint(file_);
  begin_unit();
  lines_.header(identity);
  found_.header = {.source = identity};
  auto done = write_out();
  if (done)
    done = file_.sync();
  if (done)
    done = file_.sync_folder();
  return done;
}

result<void> jsonl_sink::handle_transaction(const transaction& txn) {
  if (failure_)
    return failure(*failure_);
  if (written_.covers(txn.commit_lsn))
    return {};
  begin_unit();
  if (const auto done = write_events(txn); !done) {
    // Half a transaction may be in the file: nothing may follow it before the next recovery.
    failure_ = done.error();
    return done;
  }
  written_.advance(watermark::through(txn.commit_lsn));
  return write_out_when_full();
}

result<void> jsonl_sink::write_events(const transaction& txn) {
  lines_.begin(txn);
  for (const auto& one : txn.events()) {
    if (auto done = lines_.add(one); !done)
      return done;
    if (lines_.pending().size() < piece_bytes)
      continue;
    if (auto done = write_out(); !done)
      return done;
    if (const auto error = reach(failpoint::inside_transaction); error != 0)
      return file_.give_up(error);
  }
  lines_.commit();
  return {};
}

result<void> jsonl_sink::handle_message(const logical_message& message) {
  if (failure_)
    return failure(*failure_);
  const auto reached = watermark::before(message.at);
  if (reached <= written_)
    return {};
  begin_unit();
  lines_.message(message);
  written_.advance(reached);
  return write_out_when_full();
}

result<void> jsonl_sink::handle_frontier(watermark reached) {
  if (failure_)
    return failure(*failure_);
  if (reached <= written_)
    return {};
  begin_unit();
  lines_.progress(reached);
  written_.advance(reached);
  return write_out_when_full();
}

result<void> jsonl_sink::make_durable() {
  if (failure_)
    return failure(*failure_);
  if (auto done = write_out(); !done)
    return done;
  if (auto done = file_.sync(); !done)
    return done;
  synced_ = {.last_unit = last_unit_, .synced = file_.synced()};
  if (synced_.synced - hinted_ >= hint_distance)
    leave_hint();
  return {};
}

std::chrono::milliseconds jsonl_sink::durability_interval() const {
  return interval_;
}

result<void> jsonl_sink::write_out() {
  if (lines_.pending().empty())
    return {};
  auto done = file_.append(lines_.pending());
  if (done)
    lines_.taken();
  else
    failure_ = done.error();
  return done;
}

result<void> jsonl_sink::write_out_when_full() {
  return lines_.pending().size() < piece_bytes ? result<void>{} : write_out();
}

void jsonl_sink::leave_hint() {
  if (synced_.synced == hinted_)
    return;
  write_sync_hint(file_, synced_);
  hinted_ = synced_.synced;
}

} // namespace replicant
