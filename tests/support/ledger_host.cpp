// SPDX-License-Identifier: MIT
// A host program for tests that kill it: the pipeline of a configuration, into a `ledger_sink`.
// LEDGER_POSITION says when the position is written, as `ledger_position` does. Failure points as
// in the program. Exit codes: 0 stopped, 1 halted, 2 wrong input.
#include "replicant/actors/cli/failpoint_actions.hpp"
#include "replicant/actors/cli/system_config.hpp"
#include "replicant/actors/log_observer.hpp"
#include "replicant/actors/pipeline.hpp"
#include "replicant/config/load.hpp"
#include "replicant/tests/support/ledger_sink.hpp"

#include <caf/actor_system.hpp>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string_view>
#include <utility>

namespace {

std::optional<replicant::test::ledger_position> position_named(const char* name) {
  using enum replicant::test::ledger_position;
  const std::string_view asked = name == nullptr ? "with_rows" : name;
  for (const auto& [known, when] :
       {std::pair{"with_rows", with_rows}, {"behind_rows", behind_rows}, {"nowhere", nowhere}})
    if (asked == known)
      return when;
  return std::nullopt;
}

} // namespace

int main(int argc, char** argv) {
  using namespace replicant;
  const auto* target = std::getenv("LEDGER_TARGET");
  auto loaded = load_file(argc > 1 ? argv[argc - 1] : "");
  const auto when = position_named(std::getenv("LEDGER_POSITION"));
  if (target == nullptr || !when || !loaded || loaded->pipelines.size() != 1 ||
      !cli::install_failpoints()) {
    std::cerr << "LEDGER_TARGET and a configuration of one pipeline are needed\n";
    return 2;
  }
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);

  cli::system_config config{loaded->runtime};
  caf::actor_system system{config};
  const auto pipeline = start(
    system, loaded->pipelines.front(), [=] { return test::ledger_sink::open(target, *when); },
    std::make_shared<log_observer>(loaded->runtime));
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 100'000'000};
  while (sigtimedwait(&ending, nullptr, &pause) < 0 &&
         status(system, pipeline).phase != pipeline_phase::halted) {
  }
  return stop(system, pipeline).phase == pipeline_phase::stopped ? 0 : 1;
}
