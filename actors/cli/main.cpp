// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line.hpp"
#include "replicant/actors/cli/failpoint_actions.hpp"
#include "replicant/actors/cli/process.hpp"

#include <algorithm>
#include <iostream>
#include <new>

namespace {

using namespace replicant::cli;

struct performer {
  exit_code operator()(const text_request& asked) const {
    std::cout << asked.text;
    return exit_code::fine;
  }

  exit_code operator()(const run_request& asked) const { return run(asked); }

  exit_code operator()(const check_request& asked) const { return check(asked); }

  exit_code operator()(const status_request& asked) const { return status(asked); }

  exit_code operator()(const tail_request& asked) const { return tail(asked); }

  exit_code operator()(const slot_list_request& asked) const { return list_slots(asked); }

  exit_code operator()(const slot_drop_request& asked) const { return drop_slots(asked); }

  exit_code operator()(const checkpoint_show_request& asked) const {
    return show_checkpoints(asked);
  }

  exit_code operator()(const checkpoint_adopt_request& asked) const {
    return adopt_checkpoint(asked);
  }

  exit_code operator()(const checkpoint_reset_request& asked) const {
    return reset_checkpoint(asked);
  }

  exit_code operator()(const schema_accept_request& asked) const {
    return accept_schema_change(asked);
  }
};

/// What a command had to say is worth nothing when it did not get out.
exit_code judge_output(exit_code ended) {
  if (std::cout.flush())
    return ended;
  if (has_standard_output())
    std::cerr << "replicant: standard output did not take all of it; see that its disk has room "
                 "and its reader stays, and run the command again\n";
  return ended == exit_code::fine ? exit_code::unavailable : ended;
}

exit_code dispatch(int argc, char** argv) {
  const auto asked = parse_command_line({argv + std::min(1, argc), argv + argc});
  if (!asked) {
    std::cerr << asked.error() << '\n';
    return exit_code::wrong_input;
  }
  if (const auto* const tailing = std::get_if<tail_request>(&*asked))
    conceal_argument(argc, argv, tailing->conninfo);
  return judge_output(std::visit(performer{}, *asked));
}

} // namespace

int main(int argc, char** argv) {
  try {
    harden_process();
#ifdef REPLICANT_FAILPOINTS
    if (!install_failpoints()) {
      std::cerr << "replicant: REPLICANT_FAILPOINT cannot be understood\n";
      return static_cast<int>(exit_code::wrong_input);
    }
#endif
    return static_cast<int>(dispatch(argc, argv));
  } catch (const std::bad_alloc&) {
    std::cerr << "replicant: out of memory; let it have more, or lower max_inflight_lag\n";
  } catch (const std::exception&) {
    // Its text may repeat what was being handled.
    std::cerr << "replicant: could not go on; run it again, and report it if that is no help\n";
  }
  return static_cast<int>(exit_code::unavailable);
}
