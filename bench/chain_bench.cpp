// SPDX-License-Identifier: MIT
#include "replicant/bench/chain_bench.hpp"

#include "replicant/actors/cli/system_config.hpp"
#include "replicant/actors/pipeline.hpp"
#include "replicant/bench/gate.hpp"
#include "replicant/bench/plain_chain.hpp"
#include "replicant/bench/replaying_source.hpp"
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/delivery/stream_control.hpp"

#include <caf/actor_system.hpp>

#include <functional>
#include <utility>

namespace replicant::bench {

namespace {

std::uint64_t usual_credit() {
  return pipeline_settings{}.max_inflight_lag;
}

/// Reads each row and keeps nothing.
class counting_sink final : public sink {
public:
  /// Calls `passed` after each `rows` rows.
  counting_sink(std::size_t rows, std::function<void()> passed)
    : rows_{rows}, passed_{std::move(passed)} {}

  result<sink_checkpoint> checkpoint() override { return sink_checkpoint{}; }

  result<void> handle_transaction(const transaction& txn) override {
    for (const auto& one : txn.events()) {
      ::benchmark::DoNotOptimize(&one);
      ++seen_;
    }
    for (; seen_ >= rows_; seen_ -= rows_)
      passed_();
    return {};
  }

private:
  std::size_t rows_;
  std::size_t seen_ = 0;
  std::function<void()> passed_;
};

/// Lets the first pass go by unmeasured: it pays for the start.
void measure_passes(::benchmark::State& state, gate& done) {
  done.pass();
  for (auto _ : state)
    done.pass();
}

/// What connection, assembler and sink do, one after the other.
void read_chunk(replaying_source& source, stream_control& control, stream_assembler& fold,
                sink& target) {
  const auto now = std::chrono::steady_clock::now();
  while (!control.chunk_full()) {
    const auto frame = source.next_frame();
    if (!control.on_frame(**frame, now))
      refuse("a recorded frame cannot be read");
  }
  const auto made = fold.consume(control.next_chunk(now, true));
  if (!made)
    refuse("a recorded backlog cannot be assembled");
  control.on_assembled(made->empty() ? made->charged_bytes : 0, fold.open_bytes());
  if (made->empty())
    return;
  for (const auto& item : made->items)
    if (const auto* txn = std::get_if<transaction>(&item);
        txn != nullptr && !target.handle_transaction(*txn))
      refuse("the sink has failed");
  control.on_durable(made->reached, made->charged_bytes);
}

} // namespace

void chain_of_ours(::benchmark::State& state, const char* name) {
  const auto played = load_backlog(name, rows_wanted());
  gate done;
  cli::system_config config{runtime_settings{}};
  caf::actor_system system{config};
  pipeline_settings settings;
  settings.name = "bench";
  const auto pipeline =
    start(system, settings,
          {.make_source = [&played] { return std::make_unique<replaying_source>(played); },
           .make_sink = [&]() -> result<std::unique_ptr<sink>> {
             return std::make_unique<counting_sink>(played.rows, [&done] { done.open(); });
           }});
  measure_passes(state, done);
  if (stop(system, pipeline).phase != pipeline_phase::stopped)
    refuse("the pipeline did not stop");
  report(state, played.rows, played.bytes);
}

void chain_without_actors(::benchmark::State& state, const char* name) {
  const auto played = load_backlog(name, rows_wanted());
  std::size_t passed = 0;
  counting_sink target{played.rows, [&passed] { ++passed; }};
  replaying_source source{played};
  stream_control control{{.max_inflight_bytes = usual_credit()}, {}, {}};
  stream_assembler fold{watermark{}, false};
  std::size_t wanted = 0;
  for (auto _ : state)
    for (++wanted; passed < wanted;)
      read_chunk(source, control, fold, target);
  report(state, played.rows, played.bytes);
}

void chain_of_caf(::benchmark::State& state, const char* name) {
  const auto played = load_backlog(name, rows_wanted());
  gate done;
  cli::system_config config{runtime_settings{}};
  caf::actor_system system{config};
  const plain_chain chain{system, played.chunks, usual_credit(), done};
  measure_passes(state, done);
  report(state, played.rows, played.bytes);
}

} // namespace replicant::bench
