// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// Where a file of tests/fixtures is.
[[nodiscard]] std::string fixture_path(std::string_view file);

/// The bodies of the CopyData messages that `tests/fixtures/<name>.frames` holds, in the order in
/// which the server sent them. tests/fixtures/README.md tells where they come from.
/// @throws std::runtime_error when the file is absent, empty or cut short.
[[nodiscard]] std::vector<std::string> load_fixture(std::string_view name);

/// As above, from a file anywhere.
[[nodiscard]] std::vector<std::string> load_frames(const std::string& path);

/// The form in which frames are kept: each behind its length, four bytes big-endian.
[[nodiscard]] std::string encode_fixture(const std::vector<std::string>& frames);

} // namespace replicant
