// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/pipeline.hpp"
#include "replicant/tests/support/journal.hpp"
#include "replicant/tests/support/recording_observer.hpp"
#include "replicant/tests/support/recording_sink.hpp"
#include "replicant/tests/support/recording_store.hpp"
#include "replicant/tests/support/scripted_source.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace replicant {

/// An actor system with nothing from a command line or a file in its configuration.
struct actor_home {
  caf::actor_system_config config;
  caf::actor_system system{config};
};

/// A pipeline from a scripted server to a recording sink. In every test it watches that nothing is
/// acknowledged before the sink has it, and that no confirmed position goes back. Its end releases
/// who is held, and stops.
class pipeline_run {
public:
  explicit pipeline_run(std::string name = "shop",
                        std::shared_ptr<actor_home> home = std::make_shared<actor_home>());
  pipeline_run(const pipeline_run&) = delete;
  pipeline_run& operator=(const pipeline_run&) = delete;
  ~pipeline_run();

  const std::shared_ptr<journal> log = std::make_shared<journal>();
  scripted_server server{log};
  const std::shared_ptr<sink_ledger> ledger = std::make_shared<sink_ledger>(log);
  /// Used when `settings.checkpoint_store` asks for one.
  const std::shared_ptr<store_ledger> store = std::make_shared<store_ledger>(log);
  const std::shared_ptr<recording_observer> watcher = std::make_shared<recording_observer>();
  const test::temp_dir spill_folder;
  pipeline_settings settings; ///< Spills into that folder.

  template <class Sink = recording_sink>
  void start() {
    start(sinks_over<Sink>(ledger));
  }

  void start(sink_factory make_sink);

  /// As `start`, and waits until it streams.
  template <class Sink = recording_sink>
  [[nodiscard]] bool streams() {
    start<Sink>();
    return reaches(pipeline_phase::streaming);
  }

  [[nodiscard]] pipeline_status status() const;

  pipeline_status stop(std::chrono::milliseconds patience = std::chrono::seconds{20});

  /// Ends the pipeline's own actor, as a defect would.
  void kill();

  [[nodiscard]] bool reaches(pipeline_phase phase) const;

  /// Waits for a halt. @returns why; `crashed` at place 0 when it did not halt.
  [[nodiscard]] fault halts() const;

  /// Waits until the slot is confirmed to exactly `position`.
  [[nodiscard]] bool confirms(std::uint64_t position) const;

  /// Waits until the sink has taken exactly these transactions, in this order.
  [[nodiscard]] bool takes(const std::vector<std::uint64_t>& commits) const;

  /// Asks for a status update and waits for it. @returns what it confirms.
  [[nodiscard]] std::uint64_t asks();

  /// As above, by a server that has looked as far as `wal_end`.
  [[nodiscard]] std::uint64_t asks(std::uint64_t wal_end);

  [[nodiscard]] std::shared_ptr<actor_home> home() const { return home_; }

private:
  void judge(lsn confirmed);

  std::shared_ptr<actor_home> home_;
  pipeline_actor handle_;
  lsn confirmed_{};
  std::uint64_t asked_ = 0;
};

} // namespace replicant
