// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace replicant::cli {

/// Tells the service manager that started the program (systemd, by NOTIFY_SOCKET) how it is.
/// Without one nothing happens.

/// Everything is on its way; `status` is one line about it.
void tell_ready(const std::string& status);

void tell_status(const std::string& status);

void tell_stopping();

} // namespace replicant::cli
