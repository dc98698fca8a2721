// SPDX-License-Identifier: MIT
// A program of somebody else: it embeds a pipeline in its own actor system, with a sink of its own.
#include "replicant/actors/pipeline.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

namespace {

/// Counts transactions and promises nothing beyond its own life.
class counting_sink final : public replicant::sink {
public:
  replicant::result<replicant::sink_checkpoint> checkpoint() override {
    return replicant::sink_checkpoint{};
  }

  replicant::result<void> handle_transaction(const replicant::transaction& txn) override {
    std::cout << replicant::to_string(txn.commit_lsn) << '\n';
    return {};
  }
};

} // namespace

int main() {
  caf::actor_system_config config;
  caf::actor_system system{config};
  replicant::pipeline_settings settings;
  settings.name = "host";
  settings.slot_name = "host";
  settings.publications = {"nothing"};
  settings.conninfo = "host=/nonexistent dbname=postgres";
  const auto pipeline = replicant::start(
    system, settings, [] { return std::make_unique<counting_sink>(); }, nullptr);
  // Nobody listens there: the pipeline keeps trying, says why, and stops when asked.
  using namespace std::chrono_literals;
  auto now = replicant::status(system, pipeline);
  for (auto waited = 0ms; !now.last_fault && waited < 30s; waited += 20ms) {
    std::this_thread::sleep_for(20ms);
    now = replicant::status(system, pipeline);
  }
  const auto last = replicant::stop(system, pipeline);
  const auto right = now.last_fault &&
                     now.last_fault->why == replicant::reason::server_unavailable &&
                     last.phase == replicant::pipeline_phase::stopped;
  std::cout << (right ? "right\n" : "wrong\n");
  return right ? 0 : 1;
}
