// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace replicant::postgres {

/// What a server says of one slot.
struct slot_report {
  std::string database;             ///< Of the session that asked.
  lsn wal_position{};               ///< Where the server's WAL ends.
  std::optional<slot_facts> slot{}; ///< Nothing: there is none of this name.
};

/// An ordinary session with a server, to look after its slots. Blocks; for one thread.
class slot_session {
public:
  /// @fault as `connect_ordinary`.
  [[nodiscard]] static result<slot_session> open(const std::string& conninfo);

  [[nodiscard]] result<slot_report> report(std::string_view slot);

  /// Drops the slot. @fault slot_active when somebody holds it; otherwise by SQLSTATE.
  [[nodiscard]] result<void> drop(std::string_view slot);

private:
  explicit slot_session(connection session) : session_{std::move(session)} {}

  connection session_;
};

/// Who the server is and how it keeps the slot, asked as a stream asks: by a replication
/// connection, which is closed again. @fault as `connect` and `read_facts`.
[[nodiscard]] result<source_facts> identify_source(const std::string& conninfo,
                                                   std::string_view slot);

} // namespace replicant::postgres
