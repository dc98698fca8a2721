// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/tail/tail_view.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

namespace replicant {

namespace {

/// What is worth a system call.
constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

timestamp now_of_clock() {
  return to_timestamp(std::chrono::system_clock::now());
}

} // namespace

result<void> tail_view::meet(const session_identity& source) {
  // Positions of two servers cannot be told as one stream with a gap.
  if (!source_)
    return {};
  auto demanded = same_as(*source_);
  demanded.slot_name.reset(); // A temporary one has another name every time.
  return judge_identity(source, demanded);
}

result<void> tail_view::begin_stream(const session_identity& source) {
  begins_ = true;
  if (source_)
    return {};
  source_ = source;
  setup_.format->header(text_, source);
  return flush();
}

void tail_view::reached(watermark position) {
  const auto before = seen_;
  const auto before_at = seen_at_;
  remember(position);
  if (!std::exchange(begins_, false) || !before || over_)
    return;
  setup_.format->gap(text_, {.after = *before,
                             .after_time = before_at,
                             .resumed = position.acknowledged(),
                             .resumed_time = seen_at_});
}

void tail_view::remember(watermark position) {
  seen_ = position;
  seen_at_ = now_of_clock();
}

bool tail_view::is_wanted(const event& one) const {
  const auto* row = std::get_if<change>(&one);
  // Messages belong to no table; whoever does not want them does not ask the server for them.
  return row == nullptr || setup_.tables.holds(row->table->schema, row->table->name);
}

shown_part tail_view::part_of(const transaction& txn) const {
  shown_part part;
  for (const auto& one : txn.events())
    part.wanted += is_wanted(one) ? 1 : 0;
  part.shown = std::min(part.wanted, setup_.most.value_or(part.wanted));
  return part;
}

result<void> tail_view::show(const transaction& txn) {
  remember(watermark::through(txn.commit_lsn));
  if (over_)
    return {};
  const auto part = part_of(txn);
  if (part.shown == 0)
    return {};
  if (auto done = show(txn, part); !done)
    return done;
  return use_up(part.shown);
}

result<void> tail_view::show(const transaction& txn, const shown_part& part) {
  setup_.format->begin(text_, txn, part);
  auto left = part.shown;
  for (const auto& one : txn.events()) {
    if (left == 0 || over_)
      break;
    if (!is_wanted(one))
      continue;
    --left;
    if (auto done = setup_.format->add(text_, one); !done) {
      auto why = done.error();
      why.at = txn.commit_lsn;
      return failure(why);
    }
    if (text_.size() >= piece_bytes)
      if (auto done = flush(); !done)
        return done;
  }
  setup_.format->end(text_, txn, part);
  return {};
}

result<void> tail_view::show(const logical_message& one) {
  if (over_)
    return {};
  setup_.format->message(text_, one);
  return use_up(1);
}

void tail_view::show(const schema_change& what) {
  if (!over_ && setup_.tables.holds(what.after->schema, what.after->name))
    setup_.format->schema_change(text_, what);
}

result<void> tail_view::use_up(std::uint64_t shown) {
  if (!setup_.most || over_)
    return {};
  *setup_.most -= shown;
  if (*setup_.most > 0)
    return {};
  auto done = flush();
  if (done && !over_)
    end();
  return done;
}

result<void> tail_view::flush() {
  const auto error = text_.empty() || over_ ? 0 : setup_.write(text_);
  // A buffer that one huge row has blown up is not kept.
  text_ = {};
  if (error == EPIPE)
    end();
  else if (error != 0)
    return failure(
      fault{.why = reason::sink_failed,
            .facts = {fact{fact_kind::error_number, static_cast<std::uint64_t>(error)}}});
  return {};
}

void tail_view::end() {
  over_ = true;
  setup_.over();
}

} // namespace replicant
