// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/tail.hpp"
#include "replicant/actors/postgres/interrupt.hpp"
#include "replicant/actors/sinks/tail/tail_view.hpp"

#include <functional>
#include <memory>

namespace replicant::cli {

/// The view on standard output that was asked for. `over` is called when nothing more will be
/// shown; `leaving`, which has to outlive it, ends questions to the server.
[[nodiscard]] std::shared_ptr<tail_view> make_view(const tail_request& asked,
                                                   const postgres::interrupt_flag& leaving,
                                                   std::function<void()> over);

} // namespace replicant::cli
