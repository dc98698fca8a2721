// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/descriptor.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace replicant::cli {

using postgres::descriptor;

/// One client of the control socket: a request of one short line, then the answer.
///
/// Never blocks: it reads and writes what is possible now, and is done at its deadline whatever the
/// client does.
class control_client {
public:
  using clock = std::chrono::steady_clock;
  using answer = std::function<std::string()>;

  control_client(descriptor connected, clock::time_point deadline)
    : socket_{std::move(connected)}, deadline_{deadline} {}

  [[nodiscard]] int number() const { return socket_.number(); }

  /// What to wait for, as for poll.
  [[nodiscard]] short wanted() const;

  [[nodiscard]] clock::time_point deadline() const { return deadline_; }

  [[nodiscard]] bool done() const { return done_; }

  /// Goes on after the socket became ready. `status` makes the answer.
  void serve(const answer& status);

private:
  void receive(const answer& status);
  void send();

  descriptor socket_;
  clock::time_point deadline_;
  std::string request_;
  std::string reply_;
  std::size_t sent_ = 0;
  bool done_ = false;
};

} // namespace replicant::cli
