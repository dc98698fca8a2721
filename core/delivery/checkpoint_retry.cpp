// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/checkpoint_retry.hpp"

namespace replicant {

fault store_fault(const fault& cause) {
  switch (cause.why) {
    case reason::checkpoint_store_failed:
    case reason::checkpoint_store_mismatch:
    case reason::checkpoint_changed:
    case reason::session_identity_rejected: return cause;
    default:
      return {.why = reason::checkpoint_store_failed,
              .code = cause.code,
              .facts = {{{fact_kind::cause, static_cast<std::uint64_t>(cause.why)}}}};
  }
}

} // namespace replicant
