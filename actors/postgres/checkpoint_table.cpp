// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/checkpoint_table.hpp"

#include "replicant/core/model/number_text.hpp"
#include "replicant/core/values/scalar_text.hpp"

#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace replicant::postgres {

namespace {

/// Longer than the server's own limits, so that its word comes first.
constexpr std::chrono::seconds patience{40};

constexpr std::string_view read_only_transaction = "25006";
constexpr std::string_view missing_schema = "3F000";
constexpr std::string_view missing_table = "42P01";

/// The largest position that a bigint holds; no WAL gets that far.
constexpr std::uint64_t last_position = std::numeric_limits<std::int64_t>::max();

/// On a standby everything can be read, and the first write would fail in the middle of a stream.
result<void> make_ready(connection& fresh, deadline until) {
  const auto answer = fresh.query(checkpoint_session_query(), until);
  if (!answer)
    return failure(answer.error());
  if (answer->text(0, "standby") == "t")
    return failure(
      {.why = reason::checkpoint_store_failed, .code = sqlstate{read_only_transaction}});
  return {};
}

/// What a refusal means for a store. Others are told by their SQLSTATE as everywhere.
fault judged(fault what) {
  const auto code = what.code.text();
  if (code == read_only_transaction || code == missing_schema)
    what.why = reason::checkpoint_store_failed;
  return what;
}

/// Whether somebody else has made the same at the same time, or something else of its name.
bool is_taken(const fault& what) {
  const auto code = what.code.text();
  return code == "42P07" || code == "42710" || code == "23505";
}

std::optional<lsn> position_of(std::optional<std::string_view> text) {
  // A negative one is no number without a sign.
  const auto value = text ? parse_number<std::uint64_t>(*text) : std::nullopt;
  return value ? std::optional{lsn{*value}} : std::nullopt;
}

std::string text_of(const rows& answer, std::size_t row, std::string_view column) {
  return std::string{answer.text(row, column).value_or(std::string_view{})};
}

/// The row and its state. @returns nothing when it is none that we write.
std::optional<stored_checkpoint> checkpoint_of(const rows& answer, const std::string& slot_name) {
  const auto position = position_of(answer.text(0, "commit_lsn"));
  if (!position)
    return std::nullopt;
  stored_checkpoint found;
  found.held.memory = *position == lsn{} ? sink_memory::prepared : sink_memory::position;
  found.held.durable = watermark::through(*position);
  found.source = session_identity{.system_identifier = text_of(answer, 0, "system_identifier"),
                                  .database = text_of(answer, 0, "database"),
                                  .slot_name = slot_name};
  for (std::size_t row = 0; row < answer.count(); ++row) {
    const auto content = answer.text(row, "content");
    if (!content)
      continue;
    auto& entry = found.held.state.emplace_back(state_entry{text_of(answer, row, "name"), {}});
    if (!append_bytea(entry.content, *content))
      return std::nullopt;
  }
  return found;
}

std::optional<seen_checkpoint> row_of(const stored_checkpoint& seen) {
  if (!seen.source)
    return std::nullopt;
  return seen_checkpoint{.position = seen.held.durable.position(),
                         .system_identifier = seen.source->system_identifier,
                         .database = seen.source->database};
}

/// The last of each name: one statement cannot store two.
std::vector<state_entry> last_of_each(std::span<const state_entry> entries) {
  std::map<std::string_view, const state_entry*> last;
  for (const auto& one : entries)
    last.insert_or_assign(one.name, &one);
  std::vector<state_entry> distinct;
  distinct.reserve(last.size());
  for (const auto& [name, entry] : last)
    distinct.push_back(*entry);
  return distinct;
}

} // namespace

checkpoint_table::checkpoint_table(std::string conninfo, std::string_view table,
                                   std::string slot_name,
                                   std::shared_ptr<const interrupt_flag> stop)
  : tables_{checkpoint_tables_of(table)},
    slot_name_{std::move(slot_name)},
    stop_{std::move(stop)},
    session_{{.conninfo = std::move(conninfo),
              .patience = patience,
              .stop = stop_.get(),
              .make_ready = &make_ready}} {}

result<stored_checkpoint> checkpoint_table::read() {
  auto found = look();
  if (!found)
    return failure(found.error());
  return std::move(found->stored);
}

result<tabled_checkpoint> checkpoint_table::look() {
  tabled_checkpoint found{.stored = {.held = {.memory = sink_memory::empty}}};
  const auto there = probe();
  if (!there)
    return failure(there.error());
  if (*there == presence::none)
    return found;
  const auto answer = ask(read_checkpoint_query(tables_, slot_name_));
  if (!answer)
    return failure(answer.error());
  if (answer->count() == 0)
    return found;
  auto stored = checkpoint_of(*answer, slot_name_);
  if (!stored)
    return failure(reason::checkpoint_store_mismatch);
  found.stored = std::move(*stored);
  found.updated_at = text_of(*answer, 0, "updated_at");
  return found;
}

result<void> checkpoint_table::prepare(const session_identity& source) {
  if (auto made = make_tables(); !made)
    return made;
  auto ours = source;
  ours.slot_name = slot_name_;
  if (const auto added = ask(add_checkpoint_query(tables_, ours)); !added)
    return failure(added.error());
  // Another program may have made the row since it was read, for another source.
  const auto there = read();
  if (!there)
    return failure(there.error());
  if (!there->source)
    return failure(reason::checkpoint_changed);
  return judge_identity(ours, same_as(*there->source));
}

result<void> checkpoint_table::write(watermark reached, std::span<const state_entry> changed) {
  const auto position = reached.position();
  if (position.value() > last_position)
    return failure({.why = reason::checkpoint_store_mismatch, .at = position});
  auto done = change(write_checkpoint_query(tables_, slot_name_, position, last_of_each(changed)));
  if (!done && done.error().why == reason::checkpoint_changed)
    return failure({.why = reason::checkpoint_changed, .at = position});
  return done;
}

result<void> checkpoint_table::replace(const stored_checkpoint& seen,
                                       const session_identity& source, watermark position) {
  if (auto made = make_tables(); !made)
    return made;
  return change(replace_checkpoint_query(tables_, slot_name_, row_of(seen),
                                         {.position = position.position(),
                                          .system_identifier = source.system_identifier,
                                          .database = source.database}));
}

result<void> checkpoint_table::forget(const stored_checkpoint& seen) {
  const auto row = row_of(seen);
  if (!row)
    return {};
  auto done = change(forget_checkpoint_query(tables_, slot_name_, *row));
  if (done || done.error().why != reason::checkpoint_changed)
    return done;
  // It may have been us, when an answer was lost.
  const auto there = read();
  return there && !there->source ? result<void>{} : done;
}

result<rows> checkpoint_table::ask(const std::string& query) {
  auto answer = session_.ask(query);
  if (!answer)
    return failure(judged(answer.error()));
  return answer;
}

/// A statement that has to change the slot's row.
result<void> checkpoint_table::change(const std::string& query) {
  const auto answer = ask(query);
  // Who has removed the table has removed the row.
  if (!answer)
    return failure(answer.error().code.text() == missing_table
                     ? fault{.why = reason::checkpoint_changed}
                     : answer.error());
  return answer->text(0, "rows") == "1" ? result<void>{} : failure(reason::checkpoint_changed);
}

result<checkpoint_table::presence> checkpoint_table::probe() {
  const auto answer = ask(probe_checkpoint_query(tables_));
  if (!answer)
    return failure(answer.error());
  if (answer->count() == 0)
    return presence::none;
  // They are made together, so one alone is not what we have left behind.
  if (answer->count() == 2 && answer->text(0, "fits") == "t" && answer->text(1, "fits") == "t")
    return presence::both;
  return failure(reason::checkpoint_store_mismatch);
}

result<void> checkpoint_table::make_tables() {
  const auto before = probe();
  if (!before)
    return failure(before.error());
  if (*before == presence::both)
    return {};
  if (const auto made = ask(create_checkpoint_query(tables_)); !made && !is_taken(made.error()))
    return failure(made.error());
  const auto after = probe();
  if (!after)
    return failure(after.error());
  return *after == presence::both ? result<void>{} : failure(reason::checkpoint_store_mismatch);
}

} // namespace replicant::postgres
