// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"

#include <optional>
#include <string>
#include <utility>

namespace replicant::postgres {

/// An ordinary session for questions about a database, beside the stream. Any user who may connect
/// can have it.
///
/// It is opened by the first question, kept, and opened again when it is found broken. A call
/// blocks for five seconds at most, with all it does; only looking up a host's name may take
/// longer. One thread at a time.
class catalog_session {
public:
  /// Touches nothing yet. `conninfo` is that of the stream; `stop` ends every wait, has to outlive
  /// the session and may be null.
  explicit catalog_session(std::string conninfo, const interrupt_flag* stop = nullptr)
    : conninfo_{std::move(conninfo)}, stop_{stop} {}

  /// @fault as `connect_ordinary`; connection_lost when the answer takes too long; otherwise by
  /// SQLSTATE.
  [[nodiscard]] result<rows> ask(const std::string& query);

private:
  std::string conninfo_; ///< A secret.
  const interrupt_flag* stop_;
  std::optional<connection> session_;
};

} // namespace replicant::postgres
