// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/start_plan.hpp"

#include <array>

namespace replicant {

namespace {

constexpr std::uint32_t oldest_version = 140000;

constexpr std::uint32_t first_failover_version = 170000;

/// From 19 on a server with wal_level = replica begins to write what decoding needs when the first
/// slot is made.
constexpr std::uint32_t first_adaptive_version = 190000;

bool can_decode(const source_facts& facts) {
  return facts.wal_level == "logical" ||
         (facts.wal_level == "replica" && facts.server_version >= first_adaptive_version);
}

invalidation_cause cause_of_invalidation(const slot_facts& slot) {
  if (slot.invalidation_reason == "rows_removed")
    return invalidation_cause::rows_removed;
  if (slot.invalidation_reason == "wal_level_insufficient")
    return invalidation_cause::wal_level_insufficient;
  if (slot.invalidation_reason == "idle_timeout")
    return invalidation_cause::idle_timeout;
  return slot.conflicting ? invalidation_cause::conflict : invalidation_cause::unknown;
}

result<start_plan> plan_without_slot(const sink_checkpoint& held, bool go_forward_only) {
  if (held.durable != watermark{})
    return failure(fault{.why = reason::data_gap, .at = held.durable.position()});
  if (!go_forward_only)
    return failure(reason::go_forward_required);
  return start_plan{.how = stream_start::fresh, .origin_to_persist = true};
}

} // namespace

result<void> judge_version(std::uint32_t server_version) {
  if (server_version < oldest_version)
    return failure(fault{.why = reason::server_unsupported,
                         .facts = {fact{fact_kind::server_version, server_version}}});
  return {};
}

result<void> judge_identity(const source_facts& facts, const start_conditions& conditions,
                            const run_memory& remembered) {
  if (auto demanded =
        judge_identity(facts.identity, {.system_identifier = conditions.system_identifier,
                                        .database = conditions.database});
      !demanded)
    return demanded;
  const auto begins_anew =
    conditions.slot == slot_lifetime::temporary || remembered.delivered == watermark{};
  if (begins_anew || !remembered.source)
    return {};
  return judge_identity(facts.identity, same_as(*remembered.source));
}

result<void> judge_source(const source_facts& facts, const start_conditions& conditions) {
  if (conditions.slot == slot_lifetime::failover && facts.server_version < first_failover_version)
    return failure(fault{.why = reason::failover_unsupported,
                         .facts = {fact{fact_kind::server_version, facts.server_version}}});
  if (!can_decode(facts))
    return failure(reason::wal_level_insufficient);
  if (!facts.publications_exist)
    return failure(reason::publication_missing);
  return {};
}

result<void> judge_slot(const slot_facts& slot, std::string_view database) {
  if (!slot.logical)
    return failure(reason::slot_not_logical);
  if (slot.plugin != "pgoutput")
    return failure(reason::slot_wrong_plugin);
  if (slot.database != database)
    return failure(reason::slot_wrong_database);
  // Whatever is asked of its plugin, it sends what this protocol version has no messages for.
  if (slot.two_phase)
    return failure(reason::slot_two_phase);
  // Before its holder is looked at: the standby itself takes it in hand now and then.
  if (slot.unpromoted)
    return failure(reason::slot_synced_unpromoted);
  if (slot.active_pid != 0)
    return failure(
      fault{.why = reason::slot_active,
            .facts = {fact{fact_kind::process_id, slot.active_pid},
                      fact{fact_kind::holder, static_cast<std::uint64_t>(slot.holder)}}});
  // From 16 on every invalid slot is shown as lost, so what else the server says comes first. A
  // reason that a newer server invents is no less an invalidation.
  const auto has_cause = slot.conflicting || (!slot.invalidation_reason.empty() &&
                                              slot.invalidation_reason != "wal_removed");
  if (!has_cause && (slot.wal_status == "lost" || slot.invalidation_reason == "wal_removed"))
    return failure(reason::slot_lost);
  if (has_cause || !slot.restart || !slot.confirmed)
    return failure({.why = reason::slot_invalidated,
                    .facts = {fact{fact_kind::invalidation,
                                   static_cast<std::uint64_t>(cause_of_invalidation(slot))}}});
  return {};
}

namespace {

/// Decides for a slot that lasts, on a server whose past holds what the sink does.
///
/// `acknowledged`: nothing of ours has moved the slot beyond that, if it is known.
result<start_plan> plan_on_slot(const source_facts& facts, const sink_checkpoint& held,
                                watermark acknowledged, const start_conditions& conditions) {
  if (!facts.slot)
    return plan_without_slot(held, conditions.go_forward_only);
  if (auto fit = judge_slot(*facts.slot, facts.identity.database); !fit)
    return failure(fit.error());
  if (held.memory == sink_memory::empty)
    return failure(reason::checkpoint_missing);
  const auto confirmed = *facts.slot->confirmed;
  const auto positions = [](watermark expected, lsn found) {
    return std::array{fact{fact_kind::expected_position, expected.acknowledged().value()},
                      fact{fact_kind::found_position, found.value()}};
  };
  if (acknowledged != watermark{} && acknowledged.overtaken_by(confirmed))
    return failure({.why = reason::slot_advanced, .facts = positions(acknowledged, confirmed)});
  // A server restored from an older copy would skip everything that it writes below our position.
  if (watermark::before(facts.wal_position) < held.durable)
    return failure(
      {.why = reason::server_behind, .facts = positions(held.durable, facts.wal_position)});
  auto resume = watermark::before(confirmed);
  resume.advance(held.durable);
  return start_plan{.how = stream_start::resumed,
                    .resume = resume,
                    .origin_to_persist = held.memory == sink_memory::prepared};
}

} // namespace

result<start_plan> plan_start(const source_facts& facts, const sink_checkpoint& held,
                              bool persists_frontier, const start_conditions& conditions,
                              const run_memory& remembered) {
  if (conditions.slot == slot_lifetime::temporary)
    return start_plan{.how = stream_start::fresh, .origin_to_persist = true};
  auto known = held;
  if (held.memory == sink_memory::none)
    known.durable.advance(remembered.delivered);
  // Before the slot is looked at: what is wrong with the slot of a wrong server matters to nobody.
  // This run has seen at least what the sink has kept.
  const auto before =
    remembered.timeline == timeline_memory{} ? timeline_in(held.state) : remembered.timeline;
  if (!before)
    return failure(before.error());
  const auto timeline = judge_timeline(facts, known.durable, *before);
  if (!timeline)
    return failure(timeline.error());
  const auto persisted = held.memory == sink_memory::position && persists_frontier;
  auto plan =
    plan_on_slot(facts, known, persisted ? held.durable : remembered.delivered, conditions);
  if (plan)
    plan->timeline = *timeline;
  return plan;
}

} // namespace replicant
