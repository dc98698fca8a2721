// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"

#include <tl/expected.hpp>

#include <string>

namespace replicant::cli {

/// A socket, or the errno that says why there is none.
using opened_socket = tl::expected<descriptor, int>;

/// Connects to the unix socket at `path`, without waiting.
/// @returns EAGAIN when somebody listens but does not accept.
[[nodiscard]] opened_socket connect_unix(const std::string& path);

/// Makes a unix socket at `path`, which must not exist, with mode 0600, and listens on it. Neither
/// the socket nor what it accepts blocks.
[[nodiscard]] opened_socket listen_unix(const std::string& path);

/// Whether the other end of a connected socket is root or runs as this process does.
[[nodiscard]] bool is_own_user(const descriptor& connected);

} // namespace replicant::cli
