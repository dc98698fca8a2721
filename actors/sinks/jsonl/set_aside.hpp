// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/session_identity.hpp"

#include <chrono>
#include <string>
#include <vector>

/// Taking a file of JSON lines and its closed files out of the way, for a person who has decided
/// that they are not to be gone on with. Nothing is removed or changed but names, and what is there
/// need not be readable.
namespace replicant {

/// What stands behind the names of files that are set aside: ".before-20260714T100000Z".
[[nodiscard]] std::string aside_suffix(std::chrono::system_clock::time_point now);

/// Whether somebody writes the file at `path`; that there is none is no fault.
/// @fault sink_locked; sink_failed with the errno, ELOOP for a symbolic link.
[[nodiscard]] result<void> expect_unlocked(const std::string& path);

/// Gives the file at `path` and all of its set names that end with `suffix`. Where closed files are
/// without it, an empty one is made in its place, which a start takes for none.
/// @returns the new names; none when there was nothing. On return they are durable.
/// @fault as `expect_unlocked`. A part may be set aside then; the rest can be later.
[[nodiscard]] result<std::vector<std::string>> set_aside(const std::string& path,
                                                         const std::string& suffix);

/// As `set_aside`, and begins the file anew: for `source`, as if everything up to `reached` had
/// been delivered. A crash leaves the old file, the new one, or none, and never half of one.
[[nodiscard]] result<std::vector<std::string>> begin_anew(const std::string& path,
                                                          const std::string& suffix,
                                                          const session_identity& source,
                                                          watermark reached);

} // namespace replicant
