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
/// blocks for ten seconds and a connect at most. One thread at a time.
class catalog_session {
public:
  /// Touches nothing yet. `conninfo` is that of the stream; `stop` ends every wait, has to outlive
  /// the session and may be null.
  explicit catalog_session(std::string conninfo, const interrupt_flag* stop = nullptr)
    : conninfo_{std::move(conninfo)}, stop_{stop} {}

  /// @fault by SQLSTATE.
  [[nodiscard]] result<rows> ask(const std::string& query);

private:
  [[nodiscard]] result<void> open();

  std::string conninfo_; ///< A secret.
  const interrupt_flag* stop_;
  std::optional<connection> session_;
};

} // namespace replicant::postgres
