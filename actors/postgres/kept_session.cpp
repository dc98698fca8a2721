// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/kept_session.hpp"

#include "replicant/actors/postgres/connect.hpp"

#include <utility>

namespace replicant::postgres {

namespace {

/// Whether the session may be gone, rather than the question refused.
bool is_broken(const fault& what) {
  return what.why == reason::connection_lost || what.why == reason::server_unavailable;
}

} // namespace

result<void> kept_session::open(deadline until) {
  auto opened = connect_ordinary(habits_.conninfo, habits_.stop, until);
  if (!opened)
    return failure(opened.error());
  if (habits_.make_ready != nullptr)
    if (auto ready = habits_.make_ready(*opened, until); !ready)
      return ready;
  session_.emplace(std::move(*opened));
  return {};
}

result<rows> kept_session::ask(const std::string& query) {
  const auto until = in(habits_.patience);
  for (;;) {
    const auto fresh = !session_;
    if (fresh)
      if (auto opened = open(until); !opened)
        return failure(opened.error());
    auto answer = session_->query(query, until);
    if (answer || !is_broken(answer.error()))
      return answer;
    // One that has idled for long may have been broken without our knowing.
    session_.reset();
    if (fresh)
      return answer;
  }
}

} // namespace replicant::postgres
