// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/checkpoint_holder.hpp"
#include "replicant/actors/cli/checkpoint_view.hpp"
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/sink_choice.hpp"

#include <iostream>

namespace replicant::cli {

namespace {

std::optional<result<postgres::tabled_checkpoint>>
look_at_store(const pipeline_settings& pipeline) {
  if (!pipeline.checkpoint_store)
    return std::nullopt;
  return store_of(pipeline).look();
}

} // namespace

exit_code show_checkpoints(const checkpoint_show_request& asked) {
  const auto loaded = read_configuration(asked.file, purpose::connecting);
  if (!loaded)
    return exit_code::wrong_input;
  // Slots first: whatever a slot was told before, the sink holds after.
  auto slots = look_at_slots(loaded->pipelines);
  std::vector<checkpoint_view> all;
  for (std::size_t i = 0; i < slots.size(); ++i)
    all.push_back({.slot = std::move(slots[i]),
                   .sink = inspect_sink(loaded->pipelines[i]),
                   .store = look_at_store(loaded->pipelines[i])});
  std::cout << (asked.format == output_format::text ? checkpoint_table(all)
                                                    : checkpoint_document(all) + "\n");
  return judge_checkpoints(all);
}

} // namespace replicant::cli
