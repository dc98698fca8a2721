// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/schema_memory.hpp"
#include "replicant/core/delivery/state_entry.hpp"
#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <span>

/// Schema memory as entries beside the position, one for each table, so that what is new costs no
/// more than itself.
namespace replicant {

/// The entry of a table: its shape, or nothing when it is no longer remembered.
[[nodiscard]] state_entry state_of(const schema_memory& known, std::uint32_t oid);

/// What the entries tell; those of other names are passed over.
/// @fault sink_unreadable for an entry that `state_of` does not make.
[[nodiscard]] result<schema_memory> schemas_in(std::span<const state_entry> state);

} // namespace replicant
