// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/catalog_session.hpp"

#include "replicant/actors/postgres/connect.hpp"

namespace replicant::postgres {

namespace {

/// A stream waits for the answer, and so does whoever wants to stop it.
constexpr std::chrono::seconds patience{5};

/// Whether the session may be gone, rather than the question refused.
bool is_broken(const fault& what) {
  return what.why == reason::connection_lost || what.why == reason::server_unavailable;
}

} // namespace

result<rows> catalog_session::ask(const std::string& query) {
  const auto until = in(patience);
  for (;;) {
    const auto fresh = !session_;
    if (fresh) {
      auto opened = connect_ordinary(conninfo_, stop_, until);
      if (!opened)
        return failure(opened.error());
      session_.emplace(std::move(*opened));
    }
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
