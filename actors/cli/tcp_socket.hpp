// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"
#include "replicant/config/listen_address.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <string>

namespace replicant::cli {

/// Listens for TCP at the first address of a host that can be had. Neither the socket nor accepting
/// on it blocks. Another program that listens there already is never joined.
/// @returns what the system says where that fails.
[[nodiscard]] tl::expected<descriptor, std::string> listen_tcp(const listen_address& at);

/// The port of a socket that listens.
[[nodiscard]] std::uint16_t port_of(const descriptor& listening);

} // namespace replicant::cli
