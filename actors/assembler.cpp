// SPDX-License-Identifier: MIT
#include "replicant/actors/assembler.hpp"

#include "replicant/actors/boundary.hpp"

#include <utility>

namespace replicant {

static_assert(
  !std::is_aggregate_v<assembler_state>); // C++20 would fill the first member with `self`

void assembler_state::on(const assemble& request, const delivery_listener& from) {
  auto made = fold_->consume(request.source);
  if (!made) {
    fail(self, pipeline, made.error());
    return;
  }
  assembled news{.released = made->empty() ? made->charged_bytes : 0, .open = fold_->open_bytes()};
  for (const auto& item : made->items)
    if (const auto* txn = std::get_if<transaction>(&item)) {
      ++news.made.transactions;
      news.made.changes += txn->events().size();
    }
  self->send(from, news);
  if (!made->empty())
    self->send(sink, deliver{std::make_shared<const delivery>(std::move(*made))}, from);
}

assembler_actor::behavior_type
run_assembler(assembler_actor::stateful_pointer<assembler_state> self, generation_listener pipeline,
              sink_actor sink) {
  seal(self);
  auto& state = self->state;
  state.pipeline = std::move(pipeline);
  state.sink = std::move(sink);
  return {
    [&state](const begin_assembly& request) { state.on(request); },
    [&state](const assemble& request, const delivery_listener& from) { state.on(request, from); },
    [&state](const drain& request, const delivery_listener& from) {
      state.self->send(state.sink, request, from);
    },
    [&state](const settle& request) { state.self->send(state.sink, request); },
  };
}

} // namespace replicant
