// SPDX-License-Identifier: MIT
// Streams into a file of JSON lines, as the program does, and tells for each transaction when it
// was committed and how long it took until it was durable. Ends when its standard input does.
#include "replicant/actors/cli/system_config.hpp"
#include "replicant/actors/pipeline.hpp"
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"

#include <caf/actor_system.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>
#include <vector>

namespace {

using namespace replicant;

struct measured {
  timestamp committed;
  std::int64_t microseconds; ///< From the commit to its durable line.
};

/// The file's sink, with a look at the clock whenever it has made something durable.
class timed_sink final : public sink,
                         public deferred_sink,
                         public frontier_sink,
                         public session_sink {
public:
  timed_sink(std::unique_ptr<sink> target, std::vector<measured>& into)
    : target_{std::move(target)}, into_{into} {}

  result<sink_checkpoint> checkpoint() override { return target_->checkpoint(); }

  result<void> handle_session_identity(const session_identity& identity) override {
    return as<session_sink>().handle_session_identity(identity);
  }

  result<void> handle_stream_start(stream_start how, const session_identity& identity) override {
    return as<session_sink>().handle_stream_start(how, identity);
  }

  result<void> handle_transaction(const transaction& txn) override {
    waiting_.push_back(txn.commit_time);
    return target_->handle_transaction(txn);
  }

  result<void> handle_frontier(watermark reached) override {
    return as<frontier_sink>().handle_frontier(reached);
  }

  result<void> make_durable() override {
    auto done = as<deferred_sink>().make_durable();
    const auto now = to_timestamp(std::chrono::system_clock::now());
    for (const auto& one : std::exchange(waiting_, {}))
      into_.push_back({one, now.microseconds - one.microseconds});
    return done;
  }

  std::chrono::milliseconds durability_interval() const override {
    return dynamic_cast<const deferred_sink&>(*target_).durability_interval();
  }

private:
  template <class Capability>
  Capability& as() {
    return dynamic_cast<Capability&>(*target_);
  }

  std::unique_ptr<sink> target_;
  std::vector<measured>& into_;
  std::vector<timestamp> waiting_;
};

int run(const std::string& conninfo, const std::string& slot, const std::string& path,
        std::chrono::milliseconds interval) {
  std::vector<measured> all;
  pipeline_settings settings;
  settings.name = "latency";
  settings.slot_name = slot;
  settings.publications = {"bench"};
  settings.conninfo = conninfo;
  settings.go_forward_only = true;
  {
    cli::system_config config{runtime_settings{}};
    caf::actor_system system{config};
    const auto pipeline = start(system, settings, [&]() -> result<std::unique_ptr<sink>> {
      auto target = jsonl_sink::open({.path = path, .interval = interval});
      if (!target)
        return failure(target.error());
      return std::make_unique<timed_sink>(std::move(*target), all);
    });
    while (std::cin.get() != std::char_traits<char>::eof()) {
    }
    if (stop(system, pipeline).phase != pipeline_phase::stopped)
      return EXIT_FAILURE;
  }
  for (const auto& one : all)
    std::printf("%lld %lld\n", static_cast<long long>(one.committed.microseconds),
                static_cast<long long>(one.microseconds));
  return EXIT_SUCCESS;
}

} // namespace

int main(int count, char** arguments) {
  if (count != 5) {
    std::cerr << "usage: bench_latency CONNINFO SLOT PATH INTERVAL_MS\n";
    return 2;
  }
  return run(arguments[1], arguments[2], arguments[3],
             std::chrono::milliseconds{std::strtol(arguments[4], nullptr, 10)});
}
