// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/kept_session.hpp"

#include <string>
#include <utility>

namespace replicant::postgres {

/// An ordinary session for questions about a database, beside the stream. Any user who may connect
/// can have it.
///
/// It is a `kept_session` in which a call blocks for five seconds at most: a stream waits for the
/// answer, and so does whoever wants to stop it.
class catalog_session {
public:
  /// Touches nothing yet. `conninfo` is that of the stream; `stop` ends every wait, has to outlive
  /// the session and may be null.
  explicit catalog_session(std::string conninfo, const interrupt_flag* stop = nullptr)
    : session_{
        {.conninfo = std::move(conninfo), .patience = std::chrono::seconds{5}, .stop = stop}} {}

  /// @fault as `kept_session::ask`.
  [[nodiscard]] result<rows> ask(const std::string& query) { return session_.ask(query); }

private:
  kept_session session_;
};

} // namespace replicant::postgres
