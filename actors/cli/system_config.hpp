// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/settings.hpp"

#include <caf/actor_system_config.hpp>
#include <caf/atom.hpp>

#include <cstddef>

namespace replicant::cli {

/// CAF's settings, from ours alone: neither its files nor the command line are read.
struct system_config : caf::actor_system_config {
  explicit system_config(const runtime_settings& runtime) {
    // The default policy polls, which costs an idle program CPU and a busy server a fifth.
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", static_cast<std::size_t>(runtime.threads));
  }
};

} // namespace replicant::cli
