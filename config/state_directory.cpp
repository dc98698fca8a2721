// SPDX-License-Identifier: MIT
#include "replicant/config/state_directory.hpp"

namespace replicant {

std::optional<std::string> default_state_directory(const environment& lookup) {
  const auto absolute = [&](const char* name) -> std::optional<std::string> {
    auto path = lookup(name);
    // The XDG rules tell to ignore a relative path; it would depend on where one happens to stand.
    return path && path->starts_with('/') ? path : std::nullopt;
  };
  // systemd gives a list when a unit names several folders; the first is the unit's main one.
  if (const auto systemd = absolute("STATE_DIRECTORY"))
    return systemd->substr(0, systemd->find(':'));
  if (const auto xdg = absolute("XDG_STATE_HOME"))
    return *xdg + "/replicant";
  if (const auto home = absolute("HOME"))
    return *home + "/.local/state/replicant";
  return std::nullopt;
}

} // namespace replicant
