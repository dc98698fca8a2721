// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_counts.hpp"
#include "replicant/core/telemetry/pipeline_status.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// What is known of one pipeline at one time.
struct pipeline_reading {
  pipeline_status status;
  pipeline_counts counts;
};

/// The content type of `prometheus_text`.
inline constexpr std::string_view prometheus_content_type =
  "text/plain; version=0.0.4; charset=utf-8";

/// All metrics of the pipelines in Prometheus' text format 0.0.4. `clock` is the time of the
/// readings. Labels are the pipeline's name and words of closed enumerations, nothing else; what is
/// not known has no sample.
[[nodiscard]] std::string prometheus_text(std::span<const pipeline_reading> pipelines,
                                          timestamp clock);

/// A metric as its HELP and TYPE lines tell it.
struct metric_description {
  std::string_view name;
  std::string_view type; ///< counter, gauge or histogram.
  std::string_view help;
};

/// Every metric that there is, in the order of the text.
[[nodiscard]] std::vector<metric_description> metric_descriptions();

} // namespace replicant
