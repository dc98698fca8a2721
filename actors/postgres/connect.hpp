// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"

namespace replicant::postgres {

/// A connection and the parameters that led to it.
struct reached {
  connection session;
  parameters by;
};

/// Tries the candidates in order until one answers.
///
/// A server that refuses a replication connection for a lack of rights or of room does not say
/// what is lacking; an ordinary session then finds out.
/// @fault of the last one that was tried; one that refuses us for good, rather than for now, is the
/// last. Besides those of `connection::open`: replication_right_missing, connect_right_missing,
/// wal_level_insufficient.
[[nodiscard]] result<reached> connect(const conninfo& where, session_kind kind,
                                      const interrupt_flag* stop);

} // namespace replicant::postgres
