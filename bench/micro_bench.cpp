// SPDX-License-Identifier: MIT
// What a row costs on its way through core and the JSON writer, without actors, sockets or files.
#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/bench/backlog.hpp"
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/core/protocol/replication_frame.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

namespace {

using namespace replicant;
using namespace replicant::bench;

constexpr std::array names{"narrow", "wide", "wide_binary", "single", "updates_full"};

/// Rows of a large transaction; few when only trying whether it runs.
std::size_t rows_wanted() {
  const auto* const given = std::getenv("REPLICANT_BENCH_ROWS");
  return given != nullptr ? std::strtoul(given, nullptr, 10) : 10'000;
}

void report(::benchmark::State& state, const backlog& source) {
  const auto passes = static_cast<std::int64_t>(state.iterations());
  state.SetItemsProcessed(passes * static_cast<std::int64_t>(source.rows));
  state.SetBytesProcessed(passes * static_cast<std::int64_t>(source.bytes));
}

[[noreturn]] void refuse() {
  throw std::runtime_error{"a recorded backlog cannot be read"};
}

void decode(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  pgoutput_decoder decoder;
  for (auto _ : state)
    for (const auto& frame : source.frames) {
      const auto outer = decode_frame(frame);
      auto message = decoder.decode(std::get<xlog_data>(*outer).payload);
      if (!message)
        refuse();
      ::benchmark::DoNotOptimize(message);
    }
  report(state, source);
}

/// Chunks to deliveries: what the assembler does.
void assemble(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  for (auto _ : state) {
    stream_assembler fold{watermark{}, false};
    for (const auto& one : source.chunks) {
      auto made = fold.consume(one);
      if (!made)
        refuse();
      ::benchmark::DoNotOptimize(made);
    }
  }
  report(state, source);
}

/// One pass of a sink over what has been assembled.
void read(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  const auto transactions = transactions_of(source);
  for (auto _ : state)
    for (const auto& txn : transactions)
      for (const auto& one : txn.events())
        ::benchmark::DoNotOptimize(&one);
  report(state, source);
}

/// The same pass, into JSON lines.
void write_json(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  const auto transactions = transactions_of(source);
  line_writer lines;
  std::size_t written = 0;
  for (auto _ : state)
    for (const auto& txn : transactions) {
      lines.begin(txn);
      for (const auto& one : txn.events()) {
        if (!lines.add(one))
          refuse();
        if (lines.pending().size() >= 256 * 1024) {
          written += lines.pending().size();
          lines.taken();
        }
      }
      lines.commit();
      written += lines.pending().size();
      lines.taken();
    }
  report(state, source);
  state.counters["line_bytes"] =
    ::benchmark::Counter(static_cast<double>(written), ::benchmark::Counter::kIsRate);
}

using body = void (*)(::benchmark::State&, const char*);

void add(const char* what, body measured) {
  for (const auto* name : names)
    ::benchmark::RegisterBenchmark(
      (std::string{what} + "/" + name).c_str(),
      [measured, name](::benchmark::State& state) { measured(state, name); })
      ->Unit(::benchmark::kMillisecond);
}

} // namespace

int main(int argc, char** argv) {
  ::benchmark::Initialize(&argc, argv);
  if (::benchmark::ReportUnrecognizedArguments(argc, argv))
    return EXIT_FAILURE;
  add("decode", decode);
  add("assemble", assemble);
  add("read", read);
  add("json", write_json);
  ::benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
