// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"

#include "replicant/actors/sinks/jsonl/pieces.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <utility>

namespace replicant {

namespace {

/// How much may be synced before the hint is renewed: what a recovery has to walk at most.
constexpr std::uint64_t hint_distance = std::uint64_t{16} * 1024 * 1024;

} // namespace

result<std::unique_ptr<sink>> jsonl_sink::open(const jsonl_options& options) {
  auto file = jsonl_file::open(options.path, options.rotation.wanted() ? symbolic_links::refused
                                                                       : symbolic_links::followed);
  if (!file)
    return failure(file.error());
  auto found = recover(*file, read_sync_hint(*file));
  if (!found)
    return failure(found.error());
  const auto archives = find_archives(options.path, file->identity());
  if (!archives)
    return failure(archives.error());
  if (const auto whole = judge_set(*archives, *found); !whole)
    return failure(whole.error());
  return std::unique_ptr<sink>{new jsonl_sink{options, std::move(*file), std::move(*found)}};
}

jsonl_sink::jsonl_sink(const jsonl_options& options, jsonl_file file, recovered_file found)
  : interval_{options.interval},
    rotation_{options.rotation},
    file_{std::move(file)},
    found_{std::move(found)},
    lines_{options.lines},
    state_{std::move(found_.state)},
    written_{found_.durable.value_or(watermark{})},
    last_unit_{found_.last_unit} {}

jsonl_sink::~jsonl_sink() {
  leave_hint();
}

result<void> jsonl_sink::handle_session_identity(const session_identity& identity) {
  const auto& header = found_.header;
  return header ? judge_identity(identity, same_as(header->source)) : result<void>{};
}

result<sink_checkpoint> jsonl_sink::checkpoint() {
  sink_checkpoint held{.memory = sink_memory::empty, .torn_bytes = found_.torn};
  if (!found_.header)
    return held;
  // What a killed program wrote without syncing was read back from memory, not from disk: the
  // position is a promise only after a sync of our own.
  if (const auto synced = file_.sync(); !synced)
    return failure(synced.error());
  held.memory = found_.durable ? sink_memory::position : sink_memory::prepared;
  if (!found_.durable)
    return held;
  held.durable = *found_.durable;
  held.state = state_.entries();
  // So that an end without progress leaves a hint too: the next start may come soon.
  synced_ = {.last_unit = found_.last_unit, .synced = found_.length};
  return held;
}

result<void> jsonl_sink::handle_stream_start(stream_start /*how*/,
                                             const session_identity& identity) {
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
  const auto half_closed = found_.header && is_half_closed(file_, *found_.header);
  // Whoever wants no rotation may have another file there.
  if (half_closed || rotation_.wanted())
    remove_unused_next(file_, identity);
  if (!found_.header)
    return write_header(identity);
  // A crash may have come between the header, or a rotation, and its syncs.
  if (auto named = file_.sync_folder(); !named)
    return named;
  // Whoever has seen a closed file must not see it grow.
  if (half_closed && holds_unit())
    return begin_next_file();
  return {};
}

result<void> jsonl_sink::write_header(const session_identity& identity) {
  // A file that was here before may have had the same inode.
  remove_sync_hint(file_.path());
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
  return write_transaction(lines_, txn, [this]() -> result<void> {
    if (auto done = write_out(); !done)
      return done;
    if (const auto error = reach(failpoint::inside_transaction); error != 0)
      return file_.give_up(error);
    return {};
  });
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

result<void> jsonl_sink::handle_schema_change(const schema_change& what) {
  if (failure_)
    return failure(*failure_);
  if (!written_.covers(what.at))
    lines_.announce(what);
  return {};
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

result<void> jsonl_sink::handle_state(const state_entry& entry) {
  if (failure_)
    return failure(*failure_);
  state_.await(entry);
  return {};
}

/// State goes with the unit behind it, so that a recovery finds both or none.
void jsonl_sink::begin_unit() {
  last_unit_ = file_.length() + lines_.pending().size();
  lines_.state(state_.take_waiting(last_unit_));
}

result<void> jsonl_sink::make_durable() {
  if (failure_)
    return failure(*failure_);
  if (auto done = write_out(); !done)
    return done;
  if (auto done = file_.sync(); !done)
    return done;
  synced_ = {.last_unit = last_unit_, .synced = file_.synced()};
  // State that is repeated does not count: else a short limit would be reached by it alone.
  const auto grown = file_.length() - (found_.header ? found_.header->state_bytes : 0);
  if (holds_unit() && rotation_.is_due(grown, clock::now() - begun_))
    return begin_next_file();
  if (synced_.synced - hinted_ >= hint_distance)
    leave_hint();
  return {};
}

/// Units ascend from where the file starts.
bool jsonl_sink::holds_unit() const {
  return found_.header && written_ > found_.header->start.value_or(watermark{});
}

result<void> jsonl_sink::begin_next_file() {
  // From here on the hint on disk is not ours to renew until the next file has its place.
  synced_ = {};
  hinted_ = 0;
  const auto state = state_.lines();
  const header_line next{
    .source = found_.header->source, .start = written_, .state_bytes = state.size()};
  if (auto done = rotate(file_, *found_.header, next, state); !done) {
    failure_ = done.error();
    return done;
  }
  found_.header = next;
  state_.move_to(file_.length() - state.size());
  begun_ = clock::now();
  synced_ = {.last_unit = file_.length(), .synced = file_.length()};
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
  // Where an entry stood before its last line, which is not synced, is not known any more.
  if (synced_.synced == hinted_ || state_.written_to() > synced_.synced)
    return;
  synced_.state = state_.places();
  write_sync_hint(file_, synced_);
  hinted_ = synced_.synced;
}

} // namespace replicant
