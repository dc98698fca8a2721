// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/bench/backlog.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <span>

namespace replicant::bench {

/// The recorded backlogs.
inline constexpr std::array backlog_names{"narrow", "wide", "wide_binary", "single",
                                          "updates_full"};

/// How much one pass of a benchmark handles: rows of a large transaction, or messages. The
/// environment variable REPLICANT_BENCH_ROWS makes it few when only trying whether it runs.
[[nodiscard]] std::size_t rows_wanted();

/// Ends the program as failed: a benchmark that cannot do its work must not look like a fast one.
[[noreturn]] void refuse(const char* why);

/// Each pass has handled `items`, of `bytes` together.
void report(::benchmark::State& state, std::size_t items, std::size_t bytes);

using body = void (*)(::benchmark::State&, const char*);

/// Registers a benchmark `what`/<name> for each of these backlogs.
void add(const char* what, body measured, std::span<const char* const> names = backlog_names);

/// Runs what `add_all` has registered, as the command line says. @returns the program's exit code;
/// to have run nothing is a failure.
[[nodiscard]] int run_all(int argc, char** argv, void (*add_all)());

} // namespace replicant::bench
