// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/kept_log.hpp"

#include "replicant/actors/log_observer.hpp"

namespace replicant::test {

std::shared_ptr<observer> logging_into(std::shared_ptr<kept_log> log) {
  return std::make_shared<log_observer>(
    runtime_settings{.log_level = "trace"},
    [log = std::move(log)](std::string_view line) { log->add(line); });
}

} // namespace replicant::test
