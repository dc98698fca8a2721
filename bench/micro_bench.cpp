// SPDX-License-Identifier: MIT
// What a row costs on its way through core and the JSON writer, and to disk and back; without
// actors or sockets.
#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/bench/harness.hpp"
#include "replicant/bench/spill_bench.hpp"
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/core/protocol/replication_frame.hpp"

namespace {

using namespace replicant;
using namespace replicant::bench;

constexpr auto unreadable = "a recorded backlog cannot be read";

void decode(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  pgoutput_decoder decoder;
  for (auto _ : state)
    for (const auto& frame : source.frames) {
      const auto outer = decode_frame(frame);
      auto message = decoder.decode(*unwrap(std::get<xlog_data>(*outer).payload, false));
      if (!message)
        refuse(unreadable);
      ::benchmark::DoNotOptimize(message);
    }
  report(state, source.rows, source.bytes);
}

/// Chunks to deliveries: what the assembler does.
void assemble(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  for (auto _ : state) {
    stream_assembler fold{watermark{}, false};
    for (const auto& one : source.chunks) {
      auto made = fold.consume(one);
      if (!made)
        refuse(unreadable);
      ::benchmark::DoNotOptimize(made);
    }
  }
  report(state, source.rows, source.bytes);
}

/// One pass of a sink over what has been assembled.
void read(::benchmark::State& state, const char* name) {
  const auto source = load_backlog(name, rows_wanted());
  const auto transactions = transactions_of(source);
  for (auto _ : state)
    for (const auto& txn : transactions)
      for (const auto& one : txn.events())
        ::benchmark::DoNotOptimize(&one);
  report(state, source.rows, source.bytes);
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
          refuse(unreadable);
        if (lines.pending().size() >= 256 * 1024) {
          written += lines.pending().size();
          lines.taken();
        }
      }
      lines.commit();
      written += lines.pending().size();
      lines.taken();
    }
  report(state, source.rows, source.bytes);
  state.counters["line_bytes"] =
    ::benchmark::Counter(static_cast<double>(written), ::benchmark::Counter::kIsRate);
}

void add_all() {
  add("decode", decode);
  add("assemble", assemble);
  add("read", read);
  add("json", write_json);
  add_spilling();
}

} // namespace

int main(int argc, char** argv) {
  return run_all(argc, argv, add_all);
}
