// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/failpoint.hpp"

#ifdef REPLICANT_FAILPOINTS
#include <atomic>
#endif

namespace replicant {

std::string_view to_string(failpoint point) {
  switch (point) {
    case failpoint::before_slot_creation: return "before_slot_creation";
    case failpoint::after_slot_creation: return "after_slot_creation";
    case failpoint::before_stream: return "before_stream";
    case failpoint::before_recovery_cut: return "before_recovery_cut";
    case failpoint::before_write: return "before_write";
    case failpoint::inside_transaction: return "inside_transaction";
    case failpoint::before_fsync: return "before_fsync";
    case failpoint::after_fsync: return "after_fsync";
    case failpoint::before_next_file: return "before_next_file";
    case failpoint::before_archive: return "before_archive";
    case failpoint::before_replacement: return "before_replacement";
    case failpoint::after_replacement: return "after_replacement";
    case failpoint::before_acknowledge: return "before_acknowledge";
    case failpoint::after_acknowledge: return "after_acknowledge";
  }
  return "unknown";
}

#ifdef REPLICANT_FAILPOINTS

namespace {

// One per process by its nature. NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<failpoint_hook> installed{nullptr};

} // namespace

void set_failpoint_hook(failpoint_hook hook) {
  installed.store(hook);
}

int reach(failpoint point) {
  const auto hook = installed.load();
  return hook == nullptr ? 0 : hook(point);
}

#endif

} // namespace replicant
