// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_counts.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// Counts what happens to pipelines, by their names, and tells it as metrics.
///
/// Needs no HTTP: a host gives it to `start` and serves `text` as it likes. Any thread may call. An
/// event costs a look-up and some additions; only the first of a pipeline takes memory.
class metrics_observer final : public observer {
public:
  void on_event(const telemetry_event& what) override;

  /// The metrics of these pipelines now, in Prometheus' text format (see `prometheus_text`).
  [[nodiscard]] std::string text(const std::vector<pipeline_status>& pipelines) const;

private:
  [[nodiscard]] pipeline_counts counts_of(std::string_view pipeline) const;

  mutable std::mutex mutex_;
  std::map<std::string, pipeline_counts, std::less<>> counts_;
};

} // namespace replicant
