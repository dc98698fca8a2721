// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/observer.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

/// How much a line matters, from the least.
enum class severity : std::uint8_t {
  trace,
  debug,
  info,
  warning,
  error,
};

/// One thing to log, in both forms.
struct event_line {
  severity level = severity::info;
  std::string_view pipeline{}; ///< Valid as long as what it was made of, as `event` is.
  std::string_view event{};
  std::string text{}; ///< For people, without the pipeline's name.
  nlohmann::ordered_json fields = nlohmann::ordered_json::object();
};

/// How much an event matters. Cheap: it is asked before a line is made.
[[nodiscard]] severity severity_of(const telemetry_event& what);

/// What an event says.
[[nodiscard]] event_line line_of(const telemetry_event& what);

} // namespace replicant
