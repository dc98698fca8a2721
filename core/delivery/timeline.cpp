// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/timeline.hpp"

#include "replicant/core/model/number_text.hpp"

#include <algorithm>
#include <string>

namespace replicant {

namespace {

fault other_branch(timeline_memory remembered, std::uint32_t found) {
  return {.why = reason::diverged,
          .facts = {fact{fact_kind::expected_timeline, remembered.timeline},
                    fact{fact_kind::found_timeline, found}}};
}

/// Judges a server on another timeline than the one remembered. A lower one has no history with it.
result<void> judge_history(const source_facts& facts, watermark durable,
                           timeline_memory remembered) {
  const auto left = std::ranges::find(facts.history, remembered.timeline, &timeline_end::timeline);
  if (left == facts.history.end())
    return failure(other_branch(remembered, facts.identity.timeline));
  if (durable.ends_before(left->end))
    return {};
  return failure({.why = reason::diverged,
                  .facts = {fact{fact_kind::expected_position, durable.acknowledged().value()},
                            fact{fact_kind::found_position, left->end.value()}}});
}

} // namespace

result<timeline_memory> judge_timeline(const source_facts& facts, watermark durable,
                                       timeline_memory remembered) {
  const auto judged = remembered != timeline_memory{} && durable != watermark{} &&
                      remembered.timeline != facts.identity.timeline;
  if (judged)
    if (auto common = judge_history(facts, durable, remembered); !common)
      return failure(common.error());
  return facts.in_recovery ? timeline_memory{} : timeline_memory{facts.identity.timeline};
}

state_entry state_of(timeline_memory remembered) {
  const auto known = remembered != timeline_memory{};
  return {std::string{state_name::timeline}, known ? std::to_string(remembered.timeline) : ""};
}

result<timeline_memory> timeline_in(std::span<const state_entry> state) {
  const auto found = std::ranges::find(state, state_name::timeline, &state_entry::name);
  if (found == state.end() || found->content.empty())
    return timeline_memory{};
  const auto remembered = parse_number<std::uint32_t>(found->content);
  if (!remembered)
    return failure(reason::sink_unreadable);
  return timeline_memory{*remembered};
}

} // namespace replicant
