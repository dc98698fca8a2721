// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/sink_choice.hpp"

#include "replicant/actors/postgres/type_catalog.hpp"
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/actors/sinks/jsonl/stream_sink.hpp"
#include "replicant/actors/sinks/null/null_sink.hpp"

#include <unistd.h>

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

std::string no_words() {
  return {};
}

/// For one generation: what a catalog has learned does not outlive its session's server.
line_options lines_of(const pipeline_settings& pipeline, const jsonl_settings& settings) {
  return {.catalog = std::make_shared<postgres::type_catalog>(pipeline.conninfo),
          .numeric =
            settings.numeric == numeric_style::number ? value_form::number : value_form::string};
}

sink_choice standard_output(const pipeline_settings& pipeline, const jsonl_settings& settings) {
  auto stream = std::make_shared<line_stream>(STDOUT_FILENO);
  return {.make = [stream, pipeline, settings]() -> result<std::unique_ptr<sink>> {
            return std::make_unique<stream_sink>(stream, lines_of(pipeline, settings));
          },
          .closing_words = no_words,
          .to_standard_output = true};
}

sink_choice choose(const pipeline_settings& pipeline, const jsonl_settings& settings) {
  if (settings.to_standard_output())
    return standard_output(pipeline, settings);
  jsonl_options options{
    .path = settings.path,
    .rotation = {.bytes = settings.rotate.bytes, .interval = settings.rotate.interval}};
  if (settings.fsync == fsync_policy::interval)
    options.interval = settings.fsync_interval;
  return {.make =
            [options, pipeline, settings] {
              auto fresh = options;
              fresh.lines = lines_of(pipeline, settings);
              return jsonl_sink::open(fresh);
            },
          .closing_words = no_words};
}

sink_choice choose(const pipeline_settings& /*pipeline*/, const null_settings& /*settings*/) {
  auto totals = std::make_shared<null_totals>();
  return {.make = [totals]() -> result<std::unique_ptr<sink>> {
            return std::make_unique<null_sink>(totals);
          },
          .closing_words = [totals] { return closing_line(totals->read()); }};
}

} // namespace

sink_choice choose_sink(const pipeline_settings& settings) {
  return std::visit([&](const auto& kind) { return choose(settings, kind); }, settings.sink);
}

bool writes_to_standard_output(const pipeline_settings& settings) {
  const auto* const file = std::get_if<jsonl_settings>(&settings.sink);
  return file != nullptr && file->to_standard_output();
}

bool keeps_position(const pipeline_settings& settings) {
  return std::holds_alternative<jsonl_settings>(settings.sink) &&
         !writes_to_standard_output(settings);
}

std::optional<std::string> kept_file(const pipeline_settings& settings) {
  if (!keeps_position(settings))
    return std::nullopt;
  return std::get<jsonl_settings>(settings.sink).path;
}

std::optional<result<inspected_file>> inspect_sink(const pipeline_settings& settings) {
  const auto file = kept_file(settings);
  return file ? std::optional{inspect(*file)} : std::nullopt;
}

} // namespace replicant::cli
