// SPDX-License-Identifier: MIT
#include "replicant/bench/harness.hpp"

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace replicant::bench {

std::size_t rows_wanted() {
  const auto* const given = std::getenv("REPLICANT_BENCH_ROWS");
  return given != nullptr ? std::strtoul(given, nullptr, 10) : 10'000;
}

void refuse(const char* why) {
  throw std::runtime_error{why};
}

void report(::benchmark::State& state, std::size_t items, std::size_t bytes) {
  const auto passes = static_cast<std::int64_t>(state.iterations());
  state.SetItemsProcessed(passes * static_cast<std::int64_t>(items));
  if (bytes > 0)
    state.SetBytesProcessed(passes * static_cast<std::int64_t>(bytes));
}

void add(const char* what, body measured, std::span<const char* const> names) {
  for (const auto* name : names)
    ::benchmark::RegisterBenchmark(
      (std::string{what} + "/" + name).c_str(),
      [measured, name](::benchmark::State& state) { measured(state, name); })
      ->Unit(::benchmark::kMillisecond);
}

int run_all(int argc, char** argv, void (*add_all)()) {
  ::benchmark::Initialize(&argc, argv);
  if (::benchmark::ReportUnrecognizedArguments(argc, argv))
    return EXIT_FAILURE;
  add_all();
  return ::benchmark::RunSpecifiedBenchmarks() > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace replicant::bench
