// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/connection.hpp"

#include "replicant/actors/postgres/connect_failure.hpp"
#include "replicant/actors/postgres/libpq_handles.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <string_view>

namespace replicant::postgres {

namespace {

sqlstate code_of(const PGresult* answer) {
  const auto* const code = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
  return code == nullptr ? sqlstate{} : sqlstate{code};
}

/// The plugin has no other warning of this code; the server has, about standbys that are behind.
bool passes_over_publication(const PGresult* notice) {
  const auto* const file = PQresultErrorField(notice, PG_DIAG_SOURCE_FILE);
  return file != nullptr && std::string_view{file} == "pgoutput.c" &&
         code_of(notice).text() == "55000";
}

fault by_code(const sqlstate& code) {
  return {.why = reason_of(code), .code = code};
}

short events_on(int socket, short events) {
  pollfd entry{.fd = socket, .events = events, .revents = 0};
  return ::poll(&entry, 1, 0) > 0 ? entry.revents : short{0};
}

/// What the next step of a connect is about, as far as it tells why that step fails.
enum class step {
  other,
  no_tls, ///< The server has answered that it offers no TLS.
  tls,    ///< The TLS handshake, with a peer that has not gone away.
};

step next_step(PGconn* attempt) {
  const auto socket = PQsocket(attempt);
  const auto gone = static_cast<short>(POLLRDHUP | POLLHUP | POLLERR | POLLNVAL);
  if (PQstatus(attempt) != CONNECTION_SSL_STARTUP || socket < 0 ||
      (events_on(socket, POLLRDHUP) & gone) != 0)
    return step::other;
  // The answer to the request for TLS is one byte.
  char answer = 0;
  const auto refused = PQsslInUse(attempt) == 0 &&
                       ::recv(socket, &answer, 1, MSG_PEEK | MSG_DONTWAIT) == 1 && answer == 'N';
  return refused ? step::no_tls : step::tls;
}

/// Why a connect failed. `last`: what `next_step` said before its last step; afterwards is too late
/// to look, because a peer that is told of a bad certificate leaves.
fault connect_fault(PGconn* attempt, step last) {
  if (const auto code = last_sqlstate(PQerrorMessage(attempt)); code.known())
    // A server has no cause to find fault with what libpq sends; a pooler has.
    return code.text() == "08P01" ? fault{.why = reason::pooler_in_front, .code = code}
                                  : by_code(code);
  if (PQconnectionNeedsPassword(attempt) != 0)
    return {.why = reason::password_missing};
  switch (last) {
    case step::no_tls: return {.why = reason::tls_unavailable};
    // The peer had spoken and not gone, so it was libpq that ended the handshake.
    case step::tls: return {.why = reason::certificate_refused};
    case step::other: break;
  }
  return {.why = reason::server_unavailable};
}

rows rows_of(const PGresult* answer) {
  std::vector<std::string> columns;
  const auto width = PQnfields(answer);
  columns.reserve(static_cast<std::size_t>(width));
  for (int column = 0; column < width; ++column)
    columns.emplace_back(PQfname(answer, column));
  std::vector<rows::cell> cells;
  for (int row = 0; row < PQntuples(answer); ++row)
    for (int column = 0; column < width; ++column)
      if (PQgetisnull(answer, row, column) != 0)
        cells.emplace_back();
      else
        cells.emplace_back(std::in_place, PQgetvalue(answer, row, column),
                           static_cast<std::size_t>(PQgetlength(answer, row, column)));
  return {std::move(columns), std::move(cells)};
}

} // namespace

void connection::closer::operator()(pg_conn* what) const {
  PQfinish(what);
}

connection::connection(connection&& other) noexcept = default;
connection& connection::operator=(connection&& other) noexcept = default;
connection::~connection() = default;

connection::connection(const parameters& to, const interrupt_flag* stop)
  : stop_{stop}, announced_{std::make_unique<announcement>()} {
  const keyword_arrays arrays{to};
  handle_.reset(PQconnectStartParams(arrays.keywords.data(), arrays.values.data(), 0));
}

void connection::receive_notice(void* to, const pg_result* notice) {
  // An error outside a command comes here too: it is how a session hears of a shutdown.
  if (code_of(notice).text().starts_with("57P"))
    static_cast<announcement*>(to)->ending = true;
  if (passes_over_publication(notice))
    static_cast<announcement*>(to)->passed = code_of(notice);
}

result<connection> connection::open(const parameters& to, const interrupt_flag* stop,
                                    deadline until) {
  connection fresh{to, stop};
  if (fresh.handle_ == nullptr)
    return failure(reason::server_unavailable);
  PQsetErrorVerbosity(fresh.handle(), PQERRORS_SQLSTATE);
  PQsetNoticeReceiver(fresh.handle(), &connection::receive_notice, fresh.announced_.get());
  if (auto made = fresh.handshake(until); !made)
    return failure(made.error());
  fresh.watched_ = descriptor::duplicate(PQsocket(fresh.handle()));
  if (!fresh.watched_)
    return failure({.why = reason::server_unavailable,
                    .facts = {fact{fact_kind::error_number, static_cast<std::uint64_t>(errno)}}});
  PQsetnonblocking(fresh.handle(), 1);
  return fresh;
}

result<void> connection::handshake(deadline until) {
  if (PQstatus(handle()) == CONNECTION_BAD)
    return failure(connect_fault(handle(), step::other));
  auto next = PGRES_POLLING_WRITING;
  while (next != PGRES_POLLING_OK) {
    // The socket may be another one after every step.
    const auto events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    switch (wait(PQsocket(handle()), static_cast<short>(events), stop_, until)) {
      case wake::interrupted: return failure(reason::connection_lost);
      case wake::timed_out: return failure(reason::server_unavailable);
      case wake::ready: break;
    }
    const auto last = next_step(handle());
    next = PQconnectPoll(handle());
    if (next == PGRES_POLLING_FAILED)
      return failure(connect_fault(handle(), last));
  }
  return {};
}

result<void> connection::wait_for(short events, deadline until) const {
  if (wait(watched(), events, stop_, until) == wake::ready)
    return {};
  return failure(reason::connection_lost);
}

fault connection::lost() const {
  return {.why = announced_->ending ? reason::server_unavailable : reason::connection_lost};
}

result<void> connection::submit(const std::string& sql, deadline until) {
  if (PQsendQuery(handle(), sql.c_str()) == 0)
    return failure(lost());
  return await_result(until);
}

// NOLINTNEXTLINE(readability-make-member-function-const): the session behind the pointer changes
result<void> connection::await_result(deadline until) {
  for (;;) {
    const auto unsent = PQflush(handle());
    if (PQisBusy(handle()) == 0)
      return {};
    const auto events = static_cast<short>(unsent > 0 ? POLLIN | POLLOUT : POLLIN);
    if (auto ready = wait_for(events, until); !ready)
      return ready;
    // When the session has ended, what the server said last is in a result.
    static_cast<void>(PQconsumeInput(handle()));
  }
}

result<rows> connection::query(const std::string& sql, deadline until) {
  if (auto sent = submit(sql, until); !sent)
    return failure(sent.error());
  rows answer;
  std::optional<fault> refused;
  for (;;) {
    if (auto here = await_result(until); !here)
      return failure(here.error());
    const result_handle one{PQgetResult(handle())};
    if (one == nullptr)
      break;
    const auto status = PQresultStatus(one.get());
    if (status == PGRES_TUPLES_OK)
      answer = rows_of(one.get());
    else if (status != PGRES_COMMAND_OK && !refused)
      refused = code_of(one.get()).known() ? by_code(code_of(one.get())) : lost();
  }
  if (refused)
    return failure(*refused);
  return answer;
}

// NOLINTNEXTLINE(readability-make-member-function-const): the session behind the pointer changes
bool connection::send(const std::string& sql) {
  return PQsendQuery(handle(), sql.c_str()) != 0 && PQflush(handle()) >= 0;
}

// NOLINTNEXTLINE(readability-make-member-function-const): the session behind the pointer changes
connection::partial_answer connection::collect() {
  partial_answer here;
  static_cast<void>(PQflush(handle()));
  static_cast<void>(PQconsumeInput(handle()));
  while (!here.over && PQisBusy(handle()) == 0) {
    const result_handle one{PQgetResult(handle())};
    here.over = one == nullptr;
    if (PQresultStatus(one.get()) == PGRES_TUPLES_OK)
      here.found = rows_of(one.get());
    // While a statement runs this is how a session hears of a shutdown.
    else if (code_of(one.get()).text().starts_with("57P"))
      announced_->ending = true;
  }
  return here;
}

result<void> connection::widen_input(deadline until) {
  constexpr std::size_t bytes = std::size_t{96} * 1024; // libpq doubles: 128 KiB.
  const auto answer = query("SELECT pg_catalog.repeat(' ', " + std::to_string(bytes) + ")", until);
  return answer ? result<void>{} : failure(answer.error());
}

result<void> connection::start_copy(const std::string& command, deadline until) {
  if (auto sent = submit(command, until); !sent)
    return sent;
  const result_handle answer{PQgetResult(handle())};
  if (PQresultStatus(answer.get()) == PGRES_COPY_BOTH)
    return {};
  return failure(code_of(answer.get()).known() ? by_code(code_of(answer.get())) : lost());
}

// NOLINTNEXTLINE(readability-make-member-function-const): the session behind the pointer changes
std::optional<fault> connection::why_ended() {
  static_cast<void>(PQconsumeInput(handle()));
  if (PQisBusy(handle()) != 0)
    return std::nullopt;
  const result_handle answer{PQgetResult(handle())};
  if (const auto code = code_of(answer.get()); code.known())
    return fault{.why = stream_end_reason_of(code), .code = code};
  // A stream has no end of its own: a server that ends it in order is about to leave.
  const auto status = PQresultStatus(answer.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_COPY_IN)
    return fault{.why = reason::server_unavailable};
  return lost();
}

bool connection::server_ended_it() {
  if (announced_->ending || PQstatus(handle()) != CONNECTION_OK)
    return true;
  if (events_on(watched(), POLLIN) == 0)
    return false;
  const auto alive = PQconsumeInput(handle()) != 0;
  // libpq looks at what it has read only when it is asked for something.
  static_cast<void>(PQisBusy(handle()));
  return announced_->ending || !alive;
}

bool connection::hung_up() const {
  return (events_on(watched(), 0) & (POLLHUP | POLLERR)) != 0;
}

std::uint32_t connection::server_version() const {
  return static_cast<std::uint32_t>(PQserverVersion(handle()));
}

std::uint32_t connection::process_id() const {
  return static_cast<std::uint32_t>(PQbackendPID(handle()));
}

parameters connection::same_server(parameters to) const {
  const auto pin = [&to](const char* keyword, const char* value) {
    if (value != nullptr && *value != '\0')
      to.insert_or_assign(keyword, value);
  };
  pin("host", PQhost(handle()));
  pin("hostaddr", PQhostaddr(handle()));
  pin("port", PQport(handle()));
  to.insert_or_assign("target_session_attrs", "any");
  return to;
}

} // namespace replicant::postgres
