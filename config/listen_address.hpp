// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// Where a server of ours listens for TCP.
struct listen_address {
  std::string host; ///< A name or an address; that of IPv6 without its brackets.
  std::uint16_t port = 0;

  friend bool operator==(const listen_address&, const listen_address&) = default;
};

/// As it is written: "127.0.0.1:9187", "[::1]:9187".
[[nodiscard]] std::string to_string(const listen_address& address);

/// Reads what `to_string` writes: a host of letters, digits, "-", "_" and "." or an IPv6 address in
/// brackets, and a port from 1 to 65535. Nothing for any other text.
[[nodiscard]] std::optional<listen_address> parse_listen_address(std::string_view text);

} // namespace replicant
