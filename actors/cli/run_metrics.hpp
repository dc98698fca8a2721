// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/metrics_endpoint.hpp"
#include "replicant/actors/cli/running_pipelines.hpp"
#include "replicant/actors/metrics_observer.hpp"
#include "replicant/config/settings.hpp"

#include <memory>
#include <optional>

namespace replicant::cli {

/// Opens the endpoint of runtime.metrics, which tells of `pipelines` and what `metrics` has
/// counted; both have to outlive it. @returns null where no address is given; nothing where the
/// endpoint cannot be had, which standard error is told.
[[nodiscard]] std::optional<std::unique_ptr<metrics_endpoint>>
open_endpoint(const settings& loaded, const running_pipelines& pipelines,
              const metrics_observer& metrics);

} // namespace replicant::cli
