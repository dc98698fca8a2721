// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/accepted_changes.hpp"
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/confirmation.hpp"
#include "replicant/actors/cli/halt_record.hpp"
#include "replicant/core/model/schema_change.hpp"

#include <iostream>
#include <system_error>

namespace replicant::cli {

namespace {

void tell(const pipeline_status& halted) {
  const auto& why = *halted.last_fault;
  const auto kind = find_fact(why, fact_kind::schema_change).value_or(0);
  std::cout << halted.name << ": halted at a change of a table\n  table:       OID " << why.relation
            << " (SELECT " << why.relation
            << "::regclass;)\n  change:      " << to_string(static_cast<schema_change_kind>(kind))
            << "\n  position:    " << to_string(why.at) << "\n  fingerprint: "
            << fingerprint_text(find_fact(why, fact_kind::fingerprint).value_or(0))
            << "\n  meaning:     rows of the table's new shape are handed to the sink from this "
               "position on; that its target can take them, and what becomes of the rows it holds "
               "already, is for you to see to before\n";
}

} // namespace

exit_code accept_schema_change(const schema_accept_request& asked) {
  const auto loaded = read_for_change(asked.file, asked.pipeline);
  if (!loaded)
    return loaded.error();
  const auto& pipeline = loaded->pipelines.front();
  const auto& folder = loaded->runtime.state_dir;
  const halt_record record{folder};
  const auto kept = record.schema_halt(pipeline.name);
  if (!kept) {
    std::cerr << unreadable_record(record.file_of(pipeline.name), kept.error());
    return exit_code::unavailable;
  }
  const auto& halted = *kept;
  if (!halted) {
    std::cerr
      << "replicant: " << pipeline.name
      << " has not halted at a change of a table, so there is none to accept; see replicant "
         "status\n";
    return exit_code::needs_person;
  }
  tell(*halted);
  const auto fingerprint = find_fact(*halted->last_fault, fact_kind::fingerprint).value_or(0);
  if (const auto asks = ask_confirmation(asked.confirmation, fingerprint_text(fingerprint),
                                         {"schema accept", asked.file, pipeline.name}))
    return *asks;
  const accepted_changes accepted{folder};
  if (const auto error = accepted.add(pipeline.name, fingerprint); error != 0) {
    std::cerr << "replicant: " << accepted.file_of(pipeline.name)
              << " cannot be written: " << std::system_category().message(error)
              << "; let this user write there\n";
    return exit_code::unavailable;
  }
  std::cout << "  done:        the next start takes it\n";
  return exit_code::fine;
}

} // namespace replicant::cli
