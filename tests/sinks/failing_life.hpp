// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/failpoint.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace replicant::test {

/// What the hook does: at the n-th visit of `point` it answers `error`, or ends the process.
struct scheduled_failure {
  failpoint point = failpoint::before_write;
  int visits_before = 0;
  int error = 0;
  bool kill = false;
};

inline scheduled_failure schedule;

inline int on_failpoint(failpoint point) {
  if (point != schedule.point || schedule.visits_before-- != 0)
    return 0;
  if (schedule.kill)
    ::_exit(9);
  return schedule.error;
}

class failpoint_guard {
public:
  explicit failpoint_guard(const scheduled_failure& wanted) {
    schedule = wanted;
    set_failpoint_hook(on_failpoint);
  }

  failpoint_guard(const failpoint_guard&) = delete;
  failpoint_guard& operator=(const failpoint_guard&) = delete;

  ~failpoint_guard() { set_failpoint_hook(nullptr); }
};

/// A stream with small and large transactions, a message and a mark, in this order; with each goes
/// state.
inline constexpr std::uint64_t last_position = 900;

/// Where the unit at `at` leads to.
inline watermark reached_at(std::uint64_t at) {
  return at == 300 || at == 600 ? watermark::before(lsn{at}) : watermark::through(lsn{at});
}

/// What is remembered from the unit at `at` on: a name that changes all the time, a long entry, and
/// one that is forgotten again.
inline std::vector<state_entry> state_with(std::uint64_t at) {
  std::vector<state_entry> entries{{"a", "as of " + std::to_string(at)}};
  if (at == 200)
    entries.push_back({"b.long", std::string(9000, '\n')});
  if (at == 300 || at == 700)
    entries.push_back({"c", at == 300 ? "c" : ""});
  return entries;
}

/// All that is remembered at a position of the stream.
inline std::vector<state_entry> state_at(watermark reached) {
  kept_state all;
  for (std::uint64_t at = 100; at <= last_position && reached_at(at) <= reached; at += 100)
    for (auto& entry : state_with(at))
      all.take(std::move(entry), 0);
  return all.entries();
}

/// Delivers what is not covered by `from`, one durable step each, and tells of each step.
template <class Durable>
result<void> deliver_stream(jsonl_sink& sink, watermark from, Durable durable) {
  static const std::string large(300 * 1024, 'l');
  for (std::uint64_t at = 100; at <= last_position; at += 100) {
    const auto reached = reached_at(at);
    if (reached <= from)
      continue;
    result<void> done;
    for (const auto& entry : state_with(at))
      if (done)
        done = sink.handle_state(entry);
    if (!done)
      return done;
    if (at == 300)
      done = sink.handle_message({.at = lsn{at}, .prefix = "p", .content = "c"});
    else if (at == 600)
      done = sink.handle_frontier(reached);
    else
      done = sink.handle_transaction(transaction_builder{
        lsn{at}}.insert(orders, {text("1"), text(at % 400 == 0 ? large : "small"), null_cell})
                                       .insert(orders, {text("2"), null_cell, text(large)})
                                       .build());
    if (done)
      done = sink.make_durable();
    if (!done)
      return done;
    durable(reached);
  }
  return {};
}

/// What is known of a process that lived until a failure point, or to the end of the stream.
struct ended_life {
  watermark reported; ///< The last position that it knew to be durable.
  bool killed = false;
};

/// Runs the stream in a process of its own that goes on where the file says and ends at the failure
/// point as if by SIGKILL.
inline ended_life live_until_killed(const sink_options& options, scheduled_failure until) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // No checks of the test framework here: this process may only end.
    ::close(ends[0]);
    until.kill = true;
    schedule = until;
    set_failpoint_hook(on_failpoint);
    const auto running = start_sink(options);
    if (running)
      static_cast<void>(
        deliver_stream(*running->sink, running->checkpoint.durable, [&](watermark reached) {
          const auto value = reached.position().value();
          static_cast<void>(::write(ends[1], &value, sizeof value) == sizeof value);
        }));
    ::_exit(running ? 0 : 1);
  }
  ::close(ends[1]);
  ended_life life;
  std::uint64_t value = 0;
  while (::read(ends[0], &value, sizeof value) == sizeof value)
    life.reported.advance(watermark::through(lsn{value}));
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 9));
  life.killed = WEXITSTATUS(status) == 9;
  return life;
}

} // namespace replicant::test
