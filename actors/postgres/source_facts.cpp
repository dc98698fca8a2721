// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/source_facts.hpp"

#include "replicant/core/delivery/start_plan.hpp"
#include "replicant/core/model/number_text.hpp"
#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/protocol/catalog_query.hpp"
#include "replicant/core/protocol/replication_command.hpp"

#include <algorithm>
#include <set>

namespace replicant::postgres {

namespace {

/// A catalog query that takes longer is a dead connection.
constexpr std::chrono::seconds patience{60};

template <class Number>
std::optional<Number> number(std::optional<std::string_view> text) {
  return text ? parse_number<Number>(*text) : std::nullopt;
}

std::optional<lsn> position(std::optional<std::string_view> text) {
  return text ? parse_lsn(*text) : std::nullopt;
}

/// By what clients call themselves: a subscription uses one name for itself, its slot and its
/// session unless it is told otherwise.
slot_holder holder_of(std::optional<std::string_view> application_name,
                      std::string_view slot_name) {
  if (!application_name)
    return slot_holder::unknown;
  if (*application_name == "replicant")
    return slot_holder::replicant;
  if (*application_name == "pg_recvlogical")
    return slot_holder::pg_recvlogical;
  return *application_name == slot_name ? slot_holder::subscription : slot_holder::other_client;
}

std::string string_or_empty(std::optional<std::string_view> text) {
  return std::string{text.value_or(std::string_view{})};
}

result<void> pin_session(connection& session, std::uint32_t version) {
  // Whether it worked is for the answer of the next query to say.
  static_cast<void>(session.query(pin_settings_query(version), in(patience)));
  const auto shown = session.query(read_settings_query(version), in(patience));
  if (!shown)
    return failure(shown.error());
  if (const auto refused = first_refused_setting(*shown, version))
    return failure({.why = reason::setting_refused, .facts = {fact{fact_kind::setting, *refused}}});
  return {};
}

/// The rest of the facts, in a session that is pinned. Nothing here may look a publication, a table
/// or a type up: see `read_facts`.
result<void> complete(source_facts& facts, connection& session,
                      std::span<const std::string> publications) {
  const auto found = session.query(count_publications_query(publications), in(patience));
  if (!found)
    return failure(found.error());
  const std::set<std::string_view> distinct{publications.begin(), publications.end()};
  facts.publications_exist = number<std::size_t>(found->text(0, "found")) == distinct.size();
  const auto slot =
    session.query(slot_query(facts.identity.slot_name, facts.server_version), in(patience));
  if (!slot)
    return failure(slot.error());
  facts.slot = slot_of(*slot, facts.identity.slot_name);
  const auto set = session.query(server_settings_query(), in(patience));
  if (!set)
    return failure(set.error());
  facts.wal_sender_timeout =
    std::chrono::milliseconds{number<std::int64_t>(set->text(0, "milliseconds")).value_or(0)};
  facts.wal_level = string_or_empty(set->text(0, "wal_level"));
  facts.in_recovery = set->text(0, "in_recovery") != "f";
  return {};
}

/// The timeline as it is when the server is known to be a primary, which keeps it as long as it
/// runs, and what lies behind it.
result<void> look_at_timeline(source_facts& facts, connection& session) {
  auto& timeline = facts.identity.timeline;
  if (!facts.in_recovery) {
    const auto again = session.query(identify_system_command(), in(patience));
    if (!again)
      return failure(again.error());
    timeline = number<std::uint32_t>(again->text(0, "timeline")).value_or(timeline);
  }
  if (timeline <= 1)
    return {};
  const auto told = session.query(timeline_history_command(timeline), in(patience));
  // A server may have lost the file and be none the worse; it only proves nothing then.
  if (!told)
    return told.error().why == reason::command_failed ? result<void>{} : failure(told.error());
  const auto content = told->text(0, "content").value_or(std::string_view{});
  facts.history = parse_timeline_history(content).value_or(std::vector<timeline_end>{});
  return {};
}

} // namespace

std::optional<std::size_t> first_refused_setting(const rows& shown, std::uint32_t server_version) {
  const auto refused = [&](const pinned_setting& setting) {
    return server_version >= setting.since_version && shown.text(0, setting.name) != setting.shown;
  };
  const auto* const found = std::ranges::find_if(pinned_settings, refused);
  if (found == pinned_settings.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - pinned_settings.begin());
}

std::optional<session_identity> identity_of(const rows& answer) {
  const auto timeline = number<std::uint32_t>(answer.text(0, "timeline"));
  session_identity found{.system_identifier = string_or_empty(answer.text(0, "systemid")),
                         .timeline = timeline.value_or(0),
                         .database = string_or_empty(answer.text(0, "dbname")),
                         .slot_name = {}};
  if (answer.count() != 1 || !timeline || !number<std::uint64_t>(found.system_identifier) ||
      found.database.empty())
    return std::nullopt;
  return found;
}

std::optional<slot_facts> slot_of(const rows& answer, std::string_view slot_name) {
  if (answer.count() == 0)
    return std::nullopt;
  return slot_facts{
    .logical = answer.text(0, "slot_type") == "logical",
    .plugin = string_or_empty(answer.text(0, "plugin")),
    .database = string_or_empty(answer.text(0, "database")),
    .active_pid = number<std::uint64_t>(answer.text(0, "active_pid")).value_or(0),
    .holder = holder_of(answer.text(0, "holder"), slot_name),
    .restart = position(answer.text(0, "restart_lsn")),
    .confirmed = position(answer.text(0, "confirmed_flush_lsn")),
    .wal_status = string_or_empty(answer.text(0, "wal_status")),
    .conflicting = answer.text(0, "conflicting") == "t",
    .invalidation_reason = string_or_empty(answer.text(0, "invalidation_reason")),
    .unpromoted = answer.text(0, "unpromoted") == "t",
    .two_phase = answer.text(0, "two_phase") == "t",
  };
}

result<source_facts> read_facts(connection& session, std::string_view slot_name,
                                std::span<const std::string> publications) {
  const auto answer = session.query(identify_system_command(), in(patience));
  // To a session that is no walsender the command is a syntax error: somebody in between has
  // swallowed what asked for one.
  if (!answer && answer.error().code.text() == "42601")
    return failure({.why = reason::pooler_in_front, .code = answer.error().code});
  if (!answer)
    return failure(answer.error());
  auto identity = identity_of(*answer);
  const auto wal_position = position(answer->text(0, "xlogpos"));
  if (!identity || !wal_position)
    return failure(reason::session_identity_rejected);
  identity->slot_name = slot_name;
  source_facts facts{.identity = std::move(*identity),
                     .wal_position = *wal_position,
                     .server_version = session.server_version()};
  if (auto supported = judge_version(facts.server_version); !supported)
    return failure(supported.error());
  if (auto pinned = pin_session(session, facts.server_version); !pinned)
    return failure(pinned.error());
  if (auto read = complete(facts, session, publications); !read)
    return failure(read.error());
  if (auto looked = look_at_timeline(facts, session); !looked)
    return failure(looked.error());
  return facts;
}

result<tables_without_identity> find_unidentified(connection& session,
                                                  std::span<const std::string> publications) {
  constexpr std::size_t most = 10;
  constexpr std::chrono::seconds longest{2};
  const auto found =
    session.query(unidentified_tables_query(publications, most, longest), in(patience));
  if (!found)
    return failure(found.error());
  tables_without_identity tables;
  for (std::size_t row = 0; row < found->count(); ++row) {
    tables.first.push_back(string_or_empty(found->text(row, "name")));
    tables.count = number<std::uint64_t>(found->text(row, "count")).value_or(0);
  }
  return tables;
}

} // namespace replicant::postgres
