// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/interfaces.hpp"
#include "replicant/core/model/moment.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/transaction.hpp"

#include <caf/error.hpp>
#include <caf/exit_reason.hpp>
#include <caf/scheduled_actor.hpp>

#include <algorithm>
#include <chrono>
#include <exception>

CAF_ERROR_CODE_ENUM(replicant::reason, "replicant")

namespace replicant {

/// Silences the two places where CAF prints content: what() of an exception, and unexpected
/// messages. Every actor calls this first. An exception that gets here is a defect of ours and ends
/// the actor.
template <class Self>
void seal(Self* self) {
  self->set_exception_handler([](std::exception_ptr&) -> caf::error { return reason::crashed; });
  self->set_default_handler(caf::drop);
}

/// Calls the host's code. Whatever it throws becomes `sink_failed`, and nothing of the exception is
/// looked at; but what was thrown by a transaction of ours has its own reason.
template <class Call>
auto guarded(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const unreadable_events& ours) {
    return failure(ours.why);
  } catch (...) {
    return failure(reason::sink_failed);
  }
}

/// Sends `what` to the actor itself at `due`, or earlier: the receiver looks at the clock and naps
/// again. CAF cannot cancel a timer, and keeps the actor, a detached one's thread and the host's
/// actor system until it has fired; so a long wait is made of short ones.
template <class Self, class Message>
void nap(Self* self, moment due, const Message& what) {
  constexpr auto longest = std::chrono::milliseconds{250};
  const auto left =
    std::chrono::ceil<std::chrono::milliseconds>(due - std::chrono::steady_clock::now());
  self->delayed_send(self, std::clamp(left, std::chrono::milliseconds{1}, longest), what);
}

/// Ends a child: tells its pipeline why, then quits.
template <class Self>
void fail(Self* self, const generation_listener& pipeline, const fault& what) {
  self->send(pipeline, generation_failed{what});
  self->quit(what.why);
}

} // namespace replicant
