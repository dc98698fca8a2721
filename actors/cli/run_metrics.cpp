// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/run_metrics.hpp"

#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/readiness_lines.hpp"

#include <iostream>
#include <utility>

namespace replicant::cli {

namespace {

/// For pipelines to answer, which takes them no time worth telling. HTTP waits no longer, so that
/// it can say that they hang, and end.
constexpr std::chrono::seconds patience_with_pipelines{1};

endpoint_answers answers_of(const settings& loaded, const running_pipelines& pipelines,
                            const metrics_observer& metrics) {
  return {
    .metrics = [&] { return metrics.text(pipelines.statuses_within(patience_with_pipelines)); },
    .alive = [&] { return pipelines.answer(patience_with_pipelines); },
    .unready =
      [&pipelines, names = names_of(loaded)] {
        return readiness_lines(names, pipelines.statuses_within(patience_with_pipelines));
      }};
}

} // namespace

std::optional<std::unique_ptr<metrics_endpoint>> open_endpoint(const settings& loaded,
                                                               const running_pipelines& pipelines,
                                                               const metrics_observer& metrics) {
  const auto& address = loaded.runtime.metrics;
  if (!address)
    return nullptr;
  auto opened = metrics_endpoint::open(*address, answers_of(loaded, pipelines, metrics));
  if (opened)
    return std::move(*opened);
  std::cerr << "replicant: metrics cannot be told at " << to_string(*address) << ": "
            << opened.error()
            << "; stop what listens there, or write another address in runtime.metrics\n";
  return std::nullopt;
}

} // namespace replicant::cli
