// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/sink_choice.hpp"
#include "replicant/actors/cli/text_table.hpp"
#include "replicant/actors/postgres/slot_session.hpp"
#include "replicant/core/delivery/start_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

namespace replicant::cli {

namespace {

/// Why a slot of this name must stay although it is named: it is in use, or it is somebody else's.
std::optional<fault> reason_to_keep(const postgres::slot_report& told) {
  const auto fit = judge_slot(*told.slot, told.database);
  // A slot that can no longer be streamed from is one to drop.
  if (fit || fit.error().why == reason::slot_lost || fit.error().why == reason::slot_invalidated)
    return std::nullopt;
  return fit.error();
}

std::string meaning_for(const pipeline_settings& pipeline) {
  if (pipeline.checkpoint_store)
    return "its checkpoint store keeps a position that cannot be continued: replicant checkpoint "
           "reset comes before the next start";
  return keeps_position(pipeline)
           ? "its file keeps what it has and cannot be continued: the next start needs a new file"
           : "its sink keeps nothing: the next start begins at the present moment";
}

/// Asks a person at a terminal to type the name.
bool is_wanted(const pipeline_settings& pipeline, bool confirmed) {
  if (confirmed)
    return true;
  if (::isatty(STDIN_FILENO) == 0) {
    std::cerr << "replicant: without a terminal to ask at, slot drop needs --yes\n";
    return false;
  }
  std::cout << "type the name of the slot to drop it: " << std::flush;
  std::string typed;
  std::getline(std::cin, typed);
  if (typed != pipeline.slot_name)
    std::cerr
      << "replicant: that is not its name, the slot stays; run this again to be asked once more\n";
  return typed == pipeline.slot_name;
}

exit_code tell_fault(const pipeline_settings& pipeline, const fault& why, exit_code code) {
  std::cerr << "replicant: the slot of " << pipeline.name << " was not dropped\n"
            << remark_on(pipeline.name, why);
  return code;
}

exit_code drop_one(const pipeline_settings& pipeline, bool confirmed) {
  auto session = postgres::slot_session::open(pipeline.conninfo);
  if (!session)
    return tell_fault(pipeline, session.error(), exit_code::unavailable);
  const auto told = session->report(pipeline.slot_name);
  if (!told)
    return tell_fault(pipeline, told.error(), exit_code::unavailable);
  if (!told->slot) {
    std::cout << pipeline.name << ": there is no slot " << pipeline.slot_name << '\n';
    return exit_code::fine;
  }
  if (const auto kept = reason_to_keep(*told))
    return tell_fault(pipeline, *kept, exit_code::needs_person);
  std::cout << pipeline.name << ": without the slot " << pipeline.slot_name << ", "
            << meaning_for(pipeline) << '\n';
  if (!is_wanted(pipeline, confirmed))
    return exit_code::needs_person;
  if (const auto dropped = session->drop(pipeline.slot_name); !dropped)
    return tell_fault(pipeline, dropped.error(), exit_code::needs_person);
  std::cout << pipeline.name << ": the slot " << pipeline.slot_name << " is dropped\n";
  return exit_code::fine;
}

} // namespace

exit_code drop_slots(const slot_drop_request& asked) {
  auto loaded = read_configuration(asked.file, purpose::connecting);
  if (!loaded || !narrow(*loaded, asked.pipeline))
    return exit_code::wrong_input;
  if (may_be_running(*loaded))
    return exit_code::needs_person;
  auto worst = exit_code::fine;
  for (const auto& one : loaded->pipelines)
    worst = std::max(worst, drop_one(one, asked.confirmed));
  return worst;
}

} // namespace replicant::cli
