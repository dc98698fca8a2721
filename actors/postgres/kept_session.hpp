// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace replicant::postgres {

/// How a session is come by.
struct session_habits {
  std::string conninfo;                 ///< A secret.
  std::chrono::milliseconds patience;   ///< For a call, with all it does.
  const interrupt_flag* stop = nullptr; ///< Ends every wait; has to outlive the session.
  /// Makes a fresh session ready; one that it refuses is not used.
  result<void> (*make_ready)(connection& fresh, deadline until) = nullptr;
};

/// An ordinary session that is opened by its first use, kept, and opened again when it is found
/// broken.
///
/// A call blocks for the time that `session_habits::patience` allows; only looking up a host's name
/// may take longer. One thread at a time.
class kept_session {
public:
  /// Touches nothing yet.
  explicit kept_session(session_habits habits) : habits_{std::move(habits)} {}

  /// Runs one statement. One whose session breaks is run once more in a fresh one, so it may take
  /// effect twice.
  /// @fault as `connect_ordinary`; that of `make_ready`; connection_lost when the answer takes too
  /// long; otherwise by SQLSTATE.
  [[nodiscard]] result<rows> ask(const std::string& query);

private:
  [[nodiscard]] result<void> open(deadline until);

  session_habits habits_;
  std::optional<connection> session_;
};

} // namespace replicant::postgres
