// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/sink_choice.hpp"

namespace replicant::cli {

sink_choice choose_sink(const pipeline_settings&) {
  return {.make = []() -> result<std::unique_ptr<sink>> { return failure(reason::sink_failed); },
          .closing_words = [] { return std::string{}; }};
}

} // namespace replicant::cli
