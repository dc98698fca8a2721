// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace replicant::cli {

/// One client of the control socket: a request of one short line, then the answer.
///
/// Never blocks on the client: it reads and writes what is possible now. The client has `patience`
/// to ask, and as much again to take the answer; how long making it takes is not its fault.
class control_client {
public:
  using clock = std::chrono::steady_clock;
  using answer = std::function<std::string()>;

  control_client(descriptor connected, std::chrono::milliseconds patience)
    : socket_{std::move(connected)}, patience_{patience}, deadline_{clock::now() + patience} {}

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
  std::chrono::milliseconds patience_;
  clock::time_point deadline_;
  std::string request_;
  std::string reply_;
  std::size_t sent_ = 0;
  bool done_ = false;
};

} // namespace replicant::cli
