// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/inspect.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <functional>
#include <optional>
#include <string>

namespace replicant::cli {

/// The sink that a configuration asks for.
struct sink_choice {
  sink_factory make;
  std::function<std::string()> closing_words; ///< What it has to say when the program ends.
  bool to_standard_output = false;            ///< Nothing else may be written there.
};

/// The only place that knows concrete sinks by name.
[[nodiscard]] sink_choice choose_sink(const pipeline_settings& settings);

/// Whether the sink writes to standard output, where nothing else may be written then.
[[nodiscard]] bool writes_to_standard_output(const pipeline_settings& settings);

/// Whether the sink remembers how far it is when the program has gone.
[[nodiscard]] bool keeps_position(const pipeline_settings& settings);

/// The file that the sink keeps its position in; nothing for a sink that keeps none.
[[nodiscard]] std::optional<std::string> kept_file(const pipeline_settings& settings);

/// What the sink holds, found out without disturbing who writes it; nothing for a sink that keeps
/// no position.
[[nodiscard]] std::optional<result<inspected_file>> inspect_sink(const pipeline_settings& settings);

} // namespace replicant::cli
