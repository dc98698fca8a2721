// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/reading.hpp"
#include "replicant/config/settings.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace replicant {

using sink_settings = decltype(pipeline_settings::sink);

/// How [pipeline.sink] is written.
inline constexpr std::string_view sink_form =
  R"([pipeline.sink] with kind = "jsonl" and path = "/var/lib/replicant/shop.jsonl" below it)";

/// Reads the table of a sink, whose keys depend on its kind.
[[nodiscard]] sink_settings read_sink(const node& value, std::string_view path, reading& log);

/// Every key of every kind, with its table.
[[nodiscard]] std::vector<std::string> known_sink_keys();

} // namespace replicant
