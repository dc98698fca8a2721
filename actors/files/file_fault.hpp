// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"

#include <cstdint>

namespace replicant {

/// A fault of a file, with the errno and the place in the file.
[[nodiscard]] inline fault file_fault(reason why, int error, std::uint64_t offset) {
  return {.why = why,
          .facts = {{{fact_kind::error_number, static_cast<std::uint64_t>(error)},
                     {fact_kind::file_offset, offset}}}};
}

} // namespace replicant
