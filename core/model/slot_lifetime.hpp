// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace replicant {

/// How long a replication slot lives on the server.
enum class slot_lifetime : std::uint8_t {
  permanent, ///< Until it is dropped: it remembers where a consumer stands.
  failover,  ///< As permanent, and standbys that synchronise slots keep it beyond their promotion.
  temporary, ///< As long as the session that made it: the server forgets it with its client.
};

} // namespace replicant
