// SPDX-License-Identifier: MIT
// What messages between actors cost, ours beside CAF's own, and what the way of a backlog through
// connection, assembler and sink costs beside the work that is done on it.
#include "replicant/actors/cli/system_config.hpp"
#include "replicant/bench/chain_bench.hpp"
#include "replicant/bench/mailbox_actors.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace replicant;
using namespace replicant::bench;

constexpr auto cooperative = caf::no_spawn_options;

/// Ends its actor, which would otherwise keep the actor system.
template <class Handle>
class owned {
public:
  explicit owned(Handle handle) : handle_{std::move(handle)} {}

  owned(owned&&) noexcept = default;
  owned& operator=(owned&&) = delete;

  ~owned() {
    if (handle_)
      caf::anon_send_exit(handle_, caf::exit_reason::user_shutdown);
  }

  const Handle& operator*() const { return handle_; }

private:
  Handle handle_;
};

struct fixture {
  cli::system_config config{runtime_settings{}};
  caf::actor_system system{config};
  gate done;
};

/// Several writers send a batch to one reader; a pass is over when it has seen them all.
template <class Kind, caf::spawn_options Where>
void read_notes(::benchmark::State& state, std::size_t writers) {
  fixture made;
  const auto each = std::max<std::size_t>(1, rows_wanted() / writers);
  const auto all = each * writers;
  const owned reader{made.system.spawn<Where>(Kind::reader, &made.done, std::uint64_t{all})};
  std::vector<owned<decltype(made.system.spawn<Where>(Kind::writer, *reader))>> sources;
  for (std::size_t i = 0; i < writers; ++i)
    sources.emplace_back(made.system.spawn<Where>(Kind::writer, *reader));
  for (auto _ : state) {
    for (const auto& writer : sources)
      Kind::write(*writer, each);
    made.done.pass();
  }
  report(state, all, 0);
}

/// One message there and one back, many times.
template <class Kind, caf::spawn_options Here, caf::spawn_options There>
void play(::benchmark::State& state) {
  fixture made;
  const auto rounds = std::max<std::size_t>(1, rows_wanted() / 10);
  const owned ponger{made.system.spawn<There>(Kind::ponger, 0)};
  const owned pinger{made.system.spawn<Here>(Kind::pinger, *ponger, &made.done)};
  for (auto _ : state) {
    Kind::play(*pinger, rounds);
    made.done.pass();
  }
  report(state, rounds, 0);
  state.counters["round_trip"] =
    ::benchmark::Counter(static_cast<double>(static_cast<std::size_t>(state.iterations()) * rounds),
                         ::benchmark::Counter::kIsRate | ::benchmark::Counter::kInvert);
}

/// CPU time is that of all threads: the measuring one only waits.
template <class Body>
void add(const std::string& what, const std::string& kind, const std::string& how, Body body) {
  ::benchmark::RegisterBenchmark((what + "/" + how + "/" + kind).c_str(), body)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(::benchmark::kMillisecond);
}

/// Ours and CAF's next to each other, so that they meet the same noise.
template <class Measure>
void add_both(const std::string& what, const std::string& how, Measure measure) {
  add(what, our_actors::name, how, [=](auto& state) { measure(state, our_actors{}); });
  add(what, plain_actors::name, how, [=](auto& state) { measure(state, plain_actors{}); });
}

template <caf::spawn_options Where>
void add_mailboxes(const std::string& how) {
  add_both("mailbox", how,
           [](auto& state, auto kind) { read_notes<decltype(kind), Where>(state, 1); });
  add_both("fan_in_4", how,
           [](auto& state, auto kind) { read_notes<decltype(kind), Where>(state, 4); });
}

template <caf::spawn_options Here, caf::spawn_options There>
void add_ping_pong(const std::string& how) {
  add_both("ping_pong", how,
           [](auto& state, auto kind) { play<decltype(kind), Here, There>(state); });
}

void add_chains() {
  using kind_of_chain = std::pair<const char*, void (*)(::benchmark::State&, const char*)>;
  constexpr std::array kinds{kind_of_chain{"replicant", chain_of_ours},
                             kind_of_chain{"without_actors", chain_without_actors},
                             kind_of_chain{"raw_caf", chain_of_caf}};
  for (const auto* name : backlog_names)
    for (const auto& [kind, measured] : kinds)
      add("chain", kind, name,
          [run = measured, name](::benchmark::State& state) { run(state, name); });
}

void add_all() {
  add_mailboxes<cooperative>("cooperative");
  add_mailboxes<caf::detached>("detached");
  add_ping_pong<cooperative, cooperative>("cooperative");
  add_ping_pong<caf::detached, caf::detached>("detached");
  add_ping_pong<caf::detached, cooperative>("mixed");
  add_chains();
}

} // namespace

int main(int argc, char** argv) {
  return run_all(argc, argv, add_all);
}
