// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/sink_choice.hpp"

#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/actors/sinks/null/null_sink.hpp"

#include <array>
#include <cstdio>

namespace replicant::cli {

namespace {

std::string closing_line(const null_counts& counts) {
  std::array<char, 16> checksum{};
  std::snprintf(checksum.data(), checksum.size(), "%08x", counts.checksum.value());
  return std::to_string(counts.transactions) + " transactions, " + std::to_string(counts.changes) +
         " rows, " + std::to_string(counts.messages) + " messages, " +
         std::to_string(counts.bytes) + " bytes, checksum " + checksum.data();
}

sink_choice choose(const jsonl_settings& settings) {
  const auto interval = settings.fsync == fsync_policy::every_commit ? std::chrono::milliseconds{0}
                                                                     : settings.fsync_interval;
  return {.make = [path = settings.path, interval] { return jsonl_sink::open(path, interval); },
          .closing_words = [] { return std::string{}; }};
}

sink_choice choose(const null_settings&) {
  auto totals = std::make_shared<null_totals>();
  return {.make = [totals]() -> result<std::unique_ptr<sink>> {
            return std::make_unique<null_sink>(totals);
          },
          .closing_words = [totals] { return closing_line(totals->read()); }};
}

} // namespace

sink_choice choose_sink(const pipeline_settings& settings) {
  return std::visit([](const auto& kind) { return choose(kind); }, settings.sink);
}

std::optional<result<inspected_file>> inspect_sink(const pipeline_settings& settings) {
  const auto* const file = std::get_if<jsonl_settings>(&settings.sink);
  if (file == nullptr || file->to_standard_output())
    return std::nullopt;
  return inspect(file->path);
}

} // namespace replicant::cli
