// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connect.hpp"

#include <optional>

namespace replicant::postgres {

/// Opens an ordinary session with the very server that `main` talks to.
///
/// A walsender that cannot send, because we rest from reading, tells of no shutdown; an idle
/// session does, at once. It can also cancel what the walsender is doing. @returns nothing when the
/// server does not let us have it, or another server answers: it helps, but a stream does not
/// depend on it.
[[nodiscard]] std::optional<connection> open_companion(reached& main, const interrupt_flag* stop);

/// Asks the server to give up the command that the session of process `pid` is running. Takes half
/// a second at most, whatever the interrupt flag says.
void cancel(connection& companion, std::uint32_t pid);

} // namespace replicant::postgres
