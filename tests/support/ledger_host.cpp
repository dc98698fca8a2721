// SPDX-License-Identifier: MIT
// A host program for tests that kill it: the pipeline of a configuration, into a `ledger_sink`.
// LEDGER_POSITION=behind_rows keeps the position in a transaction of its own. Failure points as in
// the program. Exit codes: 0 stopped, 1 halted, 2 wrong input.
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

int main(int argc, char** argv) {
  using namespace replicant;
  const auto* target = std::getenv("LEDGER_TARGET");
  auto loaded = load_file(argc > 1 ? argv[argc - 1] : "");
  if (target == nullptr || !loaded || loaded->pipelines.size() != 1 || !cli::install_failpoints()) {
    std::cerr << "LEDGER_TARGET and a configuration of one pipeline are needed\n";
    return 2;
  }
  const auto when = std::getenv("LEDGER_POSITION") == nullptr ? test::ledger_position::with_rows
                                                              : test::ledger_position::behind_rows;
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);

  cli::system_config config{loaded->runtime};
  caf::actor_system system{config};
  const auto pipeline = start(
    system, loaded->pipelines.front(), [=] { return test::ledger_sink::open(target, when); },
    std::make_shared<log_observer>(loaded->runtime));
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 100'000'000};
  while (sigtimedwait(&ending, nullptr, &pause) < 0 &&
         status(system, pipeline).phase != pipeline_phase::halted) {
  }
  return stop(system, pipeline).phase == pipeline_phase::stopped ? 0 : 1;
}
