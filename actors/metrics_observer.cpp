// SPDX-License-Identifier: MIT
#include "replicant/actors/metrics_observer.hpp"

#include "replicant/core/telemetry/prometheus_text.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

namespace replicant {

void metrics_observer::on_event(const telemetry_event& what) {
  const std::lock_guard lock{mutex_};
  auto found = counts_.find(what.pipeline);
  if (found == counts_.end())
    found = counts_.try_emplace(std::string{what.pipeline}).first;
  found->second.add(what);
}

std::string metrics_observer::text(const std::vector<pipeline_status>& pipelines) const {
  std::vector<pipeline_reading> readings;
  std::ranges::transform(pipelines, std::back_inserter(readings), [this](const auto& one) {
    return pipeline_reading{.status = one, .counts = counts_of(one.name)};
  });
  return prometheus_text(readings, to_timestamp(std::chrono::system_clock::now()));
}

pipeline_counts metrics_observer::counts_of(std::string_view pipeline) const {
  const std::lock_guard lock{mutex_};
  const auto found = counts_.find(pipeline);
  return found == counts_.end() ? pipeline_counts{} : found->second;
}

} // namespace replicant
