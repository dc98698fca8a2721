// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"

namespace replicant::postgres {

/// A connection and the parameters that led to it.
struct reached {
  connection session;
  parameters by;
};

/// Tries the candidates in order until one answers, each for as long as `where` lets it and none
/// after `until`.
///
/// A server that refuses a replication connection for a lack of rights or of room does not say
/// what is lacking; an ordinary session then finds out.
/// @fault of the last one that was tried; one that refuses us for good, rather than for now, is the
/// last. Besides those of `connection::open`: replication_right_missing, connect_right_missing,
/// wal_level_insufficient.
[[nodiscard]] result<reached> connect(const conninfo& where, session_kind kind,
                                      const interrupt_flag* stop, deadline until = never);

/// An ordinary session for questions, with the settings pinned: no time-out of the server ends it
/// while it idles. `stop` may be null.
/// @fault as `connect`; command_failed for a connection string that libpq refuses;
/// server_unsupported.
[[nodiscard]] result<connection>
connect_ordinary(const std::string& conninfo, const interrupt_flag* stop, deadline until = never);

} // namespace replicant::postgres
