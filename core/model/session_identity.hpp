// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace replicant {

/// Which server, database and slot a stream comes from (IDENTIFY_SYSTEM, and the slot's name).
struct session_identity {
  std::string system_identifier; ///< Decimal text of 64 bits.
  std::uint32_t timeline = 0;
  std::string database;
  std::string slot_name;
};

} // namespace replicant
