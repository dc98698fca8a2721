// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/conninfo.hpp"
#include "replicant/actors/postgres/interrupt.hpp"
#include "replicant/actors/postgres/rows.hpp"
#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct pg_conn;
struct pg_result;

namespace replicant::postgres {

/// One session with a server. No text of the server leaves it: notices are dropped and a fault
/// carries the SQLSTATE at most.
///
/// Every wait ends early, with `connection_lost`, when the interrupt flag given to `open` is
/// raised. Not for several threads at once.
class connection {
public:
  /// Connects to one candidate. `stop` must outlive the connection and may be null.
  /// @fault server_unavailable when the server cannot be reached; password_missing,
  /// tls_unavailable or certificate_refused when libpq gives up; pooler_in_front when the start-up
  /// packet is refused; otherwise by SQLSTATE.
  [[nodiscard]] static result<connection> open(const parameters& to, const interrupt_flag* stop,
                                               deadline until);

  connection(connection&& other) noexcept;
  connection& operator=(connection&& other) noexcept;
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  /// Runs one statement or replication command and collects its answer.
  /// @fault by SQLSTATE; connection_lost when the deadline is over, and then the connection is of
  /// no more use.
  [[nodiscard]] result<rows> query(const std::string& sql, deadline until = never);

  /// Sends one statement and leaves its answer to `collect`. Never blocks. @returns whether the
  /// session has taken it.
  [[nodiscard]] bool send(const std::string& sql);

  /// What has come of the answer to what was sent.
  struct partial_answer {
    std::optional<rows> found;
    bool over = false; ///< The answer has ended; without rows when the server refused.
  };

  /// Takes what is here. Never blocks.
  [[nodiscard]] partial_answer collect();

  /// Makes libpq read more at a time than its 16 KiB: its buffer grows to the longest message and
  /// never shrinks, and nothing else makes it grow. @fault as `query`
  [[nodiscard]] result<void> widen_input(deadline until);

  /// Runs a command that is answered by copying both ways, as START_REPLICATION is.
  [[nodiscard]] result<void> start_copy(const std::string& command, deadline until = never);

  /// The fault that the end of a copy or of the session amounts to, from what the server has said
  /// until now. @returns nothing when its answer is not complete yet.
  [[nodiscard]] std::optional<fault> why_ended();

  /// Whether the server has told this session, by itself, that the session ends (class 57P), or
  /// has closed it. Never blocks.
  [[nodiscard]] bool server_ended_it();

  /// From 18 on a server streams on without a publication that did not exist when a change was
  /// written: it only warns. @returns the warning's code when it has come, before anything that
  /// the server sent after it is read.
  [[nodiscard]] std::optional<sqlstate> passed_over_publication() const {
    return announced_->passed;
  }

  /// From now on only deadlines end a wait.
  void ignore_interrupt() { stop_ = nullptr; }

  [[nodiscard]] std::uint32_t server_version() const; ///< server_version_num.
  [[nodiscard]] std::uint32_t process_id() const;     ///< Of the server process.

  /// Pins down which server answered: `to` with its host, address and port.
  [[nodiscard]] parameters same_server(parameters to) const;

  /// A descriptor for polling. It stays open until the connection is destroyed, even when libpq
  /// closes its own socket on an error, so that another thread never polls a recycled number.
  [[nodiscard]] int watched() const { return watched_.number(); }

  /// Whether the peer is gone for good; unread bytes may still be there.
  [[nodiscard]] bool hung_up() const;

  [[nodiscard]] pg_conn* handle() const { return handle_.get(); }

  /// Waits for the socket. Any other outcome than `ready` is a fault.
  [[nodiscard]] result<void> wait_for(short events, deadline until) const;

  /// Waits until libpq can give the next result without blocking.
  [[nodiscard]] result<void> await_result(deadline until);

  /// What a break without a last word amounts to.
  [[nodiscard]] fault lost() const;

private:
  struct closer {
    void operator()(pg_conn* what) const;
  };

  /// What the notice receiver leaves behind; libpq keeps its address.
  struct announcement {
    bool ending = false;            ///< A message of class 57P came unasked.
    std::optional<sqlstate> passed; ///< See `passed_over_publication`.
  };

  static void receive_notice(void* to, const pg_result* notice);

  connection(const parameters& to, const interrupt_flag* stop);

  [[nodiscard]] result<void> handshake(deadline until);
  [[nodiscard]] result<void> submit(const std::string& sql, deadline until);

  const interrupt_flag* stop_ = nullptr;
  std::unique_ptr<announcement> announced_;
  std::unique_ptr<pg_conn, closer> handle_;
  descriptor watched_;
};

} // namespace replicant::postgres
