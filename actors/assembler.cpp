// SPDX-License-Identifier: MIT
#include "replicant/actors/assembler.hpp"

#include "replicant/actors/boundary.hpp"

#include <utility>

namespace replicant {

static_assert(
  !std::is_aggregate_v<assembler_state>); // C++20 would fill the first member with `self`

void assembler_state::on(const begin_assembly& request) {
  const auto& open = setup.open;
  if (open.make_spill_area)
    spill_ = open.make_spill_area(request.source);
  fold_.emplace(request.resume, request.tell_origin, request.known,
                open_rules{.dialect = dialect_of(request.server_version, open.streaming),
                           .max_inflight_bytes = setup.max_inflight_bytes,
                           .max_concurrent_txns = open.max_concurrent_txns,
                           .spill = spill_});
}

void assembler_state::on(const assemble& request, const delivery_listener& from) {
  auto made = fold_->consume(request.source);
  if (!made) {
    fail(self, setup.pipeline, made.error());
    return;
  }
  self->send(from, assembled{.released = made->empty() ? made->charged_bytes : 0,
                             .open = fold_->open_bytes(),
                             .open_transactions = fold_->open_transactions(),
                             .spilled = spill_ ? spill_->bytes() : 0,
                             .made = fold_->take_news()});
  if (!made->empty())
    self->send(setup.sink, deliver{std::make_shared<const delivery>(std::move(*made))}, from);
}

assembler_actor::behavior_type
run_assembler(assembler_actor::stateful_pointer<assembler_state> self, assembler_setup setup) {
  seal(self);
  auto& state = self->state;
  state.setup = std::move(setup);
  return {
    [&state](const begin_assembly& request) { state.on(request); },
    [&state](const assemble& request, const delivery_listener& from) { state.on(request, from); },
    [&state](const drain& request, const delivery_listener& from) {
      state.self->send(state.setup.sink, request, from);
    },
    [&state](const settle& request) { state.self->send(state.setup.sink, request); },
  };
}

} // namespace replicant
