// SPDX-License-Identifier: MIT
#include "replicant/actors/boundary.hpp"
#include "replicant/actors/messages.hpp"
#include "replicant/tests/support/captured_output.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/message.hpp>
#include <caf/send.hpp>
#include <catch2/catch.hpp>

#include <stdexcept>

using namespace replicant;
using namespace replicant::test;
using Catch::Matchers::Contains;

namespace {

const std::string secret = "planted_in_what_is_handled";

enum class guard {
  on,
  off,
};

/// Fails at every number, with the secret on its lips; knows no text; ends when it is told to.
caf::behavior careless(caf::event_based_actor* self, guard sealed) {
  if (sealed == guard::on)
    seal(self);
  return {[](int) -> void { throw std::runtime_error{secret}; }, [self](bool) { self->quit(); }};
}

/// What the process prints while the actor is given `what`.
template <class Message>
std::string printed_at(const Message& what, guard sealed) {
  const captured_output output{STDOUT_FILENO, STDERR_FILENO};
  {
    caf::actor_system_config config;
    caf::actor_system system{config};
    const auto actor = system.spawn(careless, sealed);
    caf::anon_send(actor, what);
    caf::anon_send(actor, true);
  }
  return output.text();
}

} // namespace

TEST_CASE("a sealed actor prints neither an exception nor a message it does not know",
          "[actors][unit]") {
  CHECK_THAT(printed_at(1, guard::on), !Contains(secret));
  CHECK_THAT(printed_at(secret, guard::on), !Contains(secret));
  // Another one prints both.
  CHECK_THAT(printed_at(1, guard::off), Contains(secret));
  CHECK_THAT(printed_at(secret, guard::off), Contains(secret));
}

TEST_CASE("a message of ours cannot be printed", "[actors][unit]") {
  const auto ours = caf::make_message(open_session{{.database = secret, .slot_name = secret}});
  CHECK_THAT(caf::to_string(ours), !Contains(secret));
  CHECK_THAT(caf::to_string(caf::make_message(secret)), Contains(secret));
}

TEST_CASE("what a host's sink throws is not looked at", "[actors][unit]") {
  const auto throwing = [](bool really) -> result<void> {
    if (really)
      throw std::runtime_error{secret};
    return {};
  };
  CHECK(guarded([&] { return throwing(false); }));
  const auto caught = guarded([&] { return throwing(true); });
  REQUIRE_FALSE(caught);
  CHECK_THAT(to_string(caught.error()), !Contains(secret));
  // Without the guard the text is there for whoever catches it.
  CHECK_THROWS_WITH(throwing(true), secret);
}
