// SPDX-License-Identifier: MIT
#include "replicant/actors/boundary.hpp"
#include "replicant/actors/host_sink.hpp"
#include "replicant/tests/actors/pipeline_run.hpp"

#include <caf/response_promise.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/stateful_actor.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <optional>
#include <stdexcept>

using namespace replicant;
using namespace replicant::test;

namespace {

/// What the host's actor does with transactions.
enum class manner {
  takes,
  refuses,
  throws,
  holds, ///< It answers when it is told to.
};

struct release {};

using releasable = host_sink_actor::extend<caf::reacts_to<release>>;
using target = with_frontier<with_session<recording_sink>>;

/// What a test tells the host's actor, and sees of it.
struct host {
  std::atomic<manner> way{manner::takes};
  std::atomic<bool> holding{false};
};

/// A host's own actor that is a sink: it outlives generations and keeps what it is given in the
/// ledger of the run.
struct host_state {
  explicit host_state(releasable::pointer owner) : self{owner} {}

  caf::result<taken> on(const take_transaction& request);

  template <class Answer, class Told>
  static caf::result<Answer> answer(const Told& told, Answer good) {
    if (!told)
      return caf::make_error(told.error().why);
    return good;
  }

  releasable::pointer self;
  std::shared_ptr<host> what;
  std::unique_ptr<target> keeper;
  caf::typed_response_promise<taken> promise;
  std::optional<transaction> promised;
};

caf::result<taken> host_state::on(const take_transaction& request) {
  switch (what->way) {
    case manner::refuses: return caf::make_error(reason::sink_locked);
    case manner::throws: throw std::runtime_error{"planted-secret-4f1c"};
    case manner::holds:
      promise = self->make_response_promise<taken>();
      promised = request.content;
      what->holding = true;
      return promise;
    case manner::takes: break;
  }
  return answer(keeper->handle_transaction(request.content), taken{});
}

releasable::behavior_type run_host(releasable::stateful_pointer<host_state> self,
                                   std::shared_ptr<host> what,
                                   std::shared_ptr<sink_ledger> ledger) {
  seal(self);
  auto& state = self->state;
  state.what = std::move(what);
  state.keeper = std::make_unique<target>(std::move(ledger));
  return {
    [&state](const open_session& request) -> caf::result<sink_checkpoint> {
      if (auto known = state.keeper->handle_session_identity(request.identity); !known)
        return caf::make_error(known.error().why);
      return state.keeper->checkpoint().value();
    },
    [&state](const begin_stream& request) {
      return state.answer(state.keeper->handle_stream_start(request.how, request.identity),
                          stream_begun{});
    },
    [&state](const take_transaction& request) { return state.on(request); },
    [&state](const take_frontier& request) {
      return state.answer(state.keeper->handle_frontier(request.reached), taken{});
    },
    [&state](const release& /*request*/) {
      if (state.keeper->handle_transaction(*state.promised))
        state.promise.deliver(taken{});
    },
  };
}

/// A pipeline into a host's actor.
struct host_run {
  explicit host_run(manner way = manner::takes) {
    what->way = way;
    run.ledger->hold({sink_memory::position, watermark::through(lsn{99})});
    run.start(sinks_of(run.home()->system, actor));
    REQUIRE(run.reaches(pipeline_phase::streaming));
  }

  /// Whether the actor is there and answers.
  [[nodiscard]] bool lives() const {
    auto answers = false;
    caf::scoped_actor self{run.home()->system};
    self->request(actor, caf::infinite, open_session{})
      .receive([&](const sink_checkpoint&) { answers = true; }, [](caf::error&) {});
    return answers;
  }

  pipeline_run run;
  std::shared_ptr<host> what = std::make_shared<host>();
  releasable actor = run.home()->system.spawn(run_host, what, run.ledger);
};

} // namespace

TEST_CASE("an actor of the host's is told every generation, takes what a sink takes, and stays",
          "[actors][unit]") {
  host_run one;
  auto& run = one.run;
  run.server.send_transaction(200);
  REQUIRE(run.confirms(201));
  run.server.break_off({.why = reason::connection_lost});
  REQUIRE(wait_until([&] { return run.server.streams().size() == 2; }));
  CHECK(run.server.streams().back() == lsn{201});
  run.server.send_transaction(300);
  REQUIRE(run.confirms(301));
  CHECK(run.stop().phase == pipeline_phase::stopped);
  CHECK(one.lives());
  CHECK(run.ledger->commits() == std::vector<std::uint64_t>{200, 300});
  const auto told = run.log->lines();
  CHECK(std::ranges::count(told, "stream resumed") == 2);
  CHECK(run.ledger->sinks_made() == 1);
}

TEST_CASE("nothing is acknowledged before the host's actor has answered", "[actors][unit]") {
  host_run one{manner::holds};
  one.run.server.send_transaction(200);
  REQUIRE(wait_until([&] { return one.what->holding.load(); }));
  CHECK(one.run.asks() == 100);
  caf::anon_send(one.actor, release{});
  CHECK(one.run.confirms(201));
}

TEST_CASE("what the host's actor refuses halts with its reason, and the actor goes on",
          "[actors][unit]") {
  host_run one{manner::refuses};
  one.run.server.send_transaction(200);
  CHECK(one.run.halts().why == reason::sink_locked);
  CHECK(one.run.server.confirmed() == lsn{100});
  CHECK(one.lives());
}

TEST_CASE("a host's actor that throws, or ends with a question in hand, halts as sink_failed",
          "[actors][unit]") {
  const auto way = GENERATE(manner::throws, manner::holds);
  host_run one{way};
  one.run.server.send_transaction(200);
  if (way == manner::holds) {
    REQUIRE(wait_until([&] { return one.what->holding.load(); }));
    caf::anon_send_exit(one.actor, caf::exit_reason::kill);
  }
  CHECK(one.run.halts().why == reason::sink_failed);
  CHECK(one.run.server.confirmed() == lsn{100});
}

TEST_CASE("a host's actor that has ended before the start halts as sink_failed", "[actors][unit]") {
  pipeline_run run;
  const auto gone = run.home()->system.spawn(run_host, std::make_shared<host>(), run.ledger);
  caf::anon_send_exit(gone, caf::exit_reason::user_shutdown);
  run.start(sinks_of(run.home()->system, gone));
  CHECK(run.halts().why == reason::sink_failed);
}
