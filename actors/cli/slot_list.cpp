// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/slot_view.hpp"

#include <iostream>

namespace replicant::cli {

exit_code list_slots(const slot_list_request& asked) {
  const auto loaded = read_configuration(asked.file, purpose::connecting);
  if (!loaded)
    return exit_code::wrong_input;
  const auto slots = look_at_slots(loaded->pipelines);
  std::cout << (asked.format == output_format::text ? slot_table(slots)
                                                    : slot_document(slots) + "\n");
  return judge_slots(slots);
}

} // namespace replicant::cli
