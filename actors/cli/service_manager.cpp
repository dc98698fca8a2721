// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/service_manager.hpp"

#include <systemd/sd-daemon.h>

namespace replicant::cli {

// A manager that does not listen is no reason not to run.

void tell_ready(const std::string& status) {
  ::sd_notify(0, ("READY=1\nSTATUS=" + status).c_str());
}

void tell_status(const std::string& status) {
  ::sd_notify(0, ("STATUS=" + status).c_str());
}

void tell_stopping() {
  ::sd_notify(0, "STOPPING=1\nSTATUS=finishing what is in hand");
}

} // namespace replicant::cli
