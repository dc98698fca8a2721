// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"
#include "replicant/core/telemetry/observer.hpp"
#include "replicant/core/telemetry/progress.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

/// A number of bytes for people: "0 B", "512 B", "1.5 KiB", "32.0 MiB".
[[nodiscard]] std::string readable_size(std::uint64_t bytes);

/// How a pipeline moves, for people: "0.3 transactions/s, 48210 rows/s, lag 1.5 KiB, 3 s"; without
/// the time when it is not known.
[[nodiscard]] std::string readable_progress(const progress& moved);

/// server_version_num as PostgreSQL writes its version: 150018 is "15.18"; 0 is "unknown".
[[nodiscard]] std::string readable_server_version(std::uint64_t number);

/// What failed, for people: a fault as `to_string` tells it and what the system says about it,
/// which may be empty: "sink_failed errno=28 (No space left on device)".
[[nodiscard]] std::string readable_cause(std::string_view fault, std::string_view system_error);

/// A fault for people: its cause, what it means and what to do.
[[nodiscard]] std::string readable_fault(const fault& what);

/// The statement that gives a table, whose name is quoted where that is needed, a replica identity.
[[nodiscard]] std::string identity_cure(std::string_view table);

/// An `identity_missing` event for people, with its cure.
[[nodiscard]] std::string readable_identity_missing(const telemetry_event& what);

/// The statements that let a server keep more WAL for its slots.
[[nodiscard]] std::string_view slot_cure();

/// That a slot is about to be lost, for people, with its cure.
[[nodiscard]] std::string readable_slot_risk(const slot_standing& slot);

/// What the system says about a fault's errno, for example "No space left on device"; empty when
/// it has none.
[[nodiscard]] std::string readable_system_error(const fault& what);

/// A text from elsewhere, fit for a line of a terminal: what does not show itself as a character of
/// UTF-8 becomes "?".
[[nodiscard]] std::string printable(std::string_view text);

} // namespace replicant
