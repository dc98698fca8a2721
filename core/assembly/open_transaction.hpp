// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/collected_body.hpp"
#include "replicant/core/assembly/relation_cache.hpp"

#include <cstdint>
#include <memory>

namespace replicant {

/// A transaction of which a part has been read.
struct open_transaction {
  explicit open_transaction(std::uint32_t id) : xid{id} {}

  std::uint32_t xid;
  std::shared_ptr<collected_body> body = std::make_shared<collected_body>();
  relation_cache announced; ///< In its own segments.
  bool undecided = false;   ///< A part of it was rolled back, and perhaps messages with that.
};

} // namespace replicant
