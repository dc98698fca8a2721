// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// Which server, database and slot a stream comes from (IDENTIFY_SYSTEM, and the slot's name).
struct session_identity {
  std::string system_identifier; ///< Decimal text of 64 bits.
  std::uint32_t timeline = 0;
  std::string database;
  std::string slot_name;
};

/// What a source has to be; a part without a value may be anything. The texts are somebody else's.
struct demanded_identity {
  std::optional<std::string_view> system_identifier;
  std::optional<std::string_view> database;
  std::optional<std::string_view> slot_name;
};

/// The very same server, database and slot; a promoted standby is the same server.
[[nodiscard]] demanded_identity same_as(const session_identity& known);

/// @fault session_identity_rejected with the first part that differs.
[[nodiscard]] result<void> judge_identity(const session_identity& found,
                                          const demanded_identity& demanded);

} // namespace replicant
