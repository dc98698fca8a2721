// SPDX-License-Identifier: MIT
#include "replicant/config/listen_address.hpp"

#include "replicant/core/model/number_text.hpp"

#include <algorithm>

namespace replicant {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_of_name(char c) {
  return is_digit(c) || is_letter(c) || c == '-' || c == '_' || c == '.';
}

/// Of IPv6, which may name an interface behind a percent sign.
bool is_of_address(char c) {
  return is_of_name(c) || c == ':' || c == '%';
}

} // namespace

std::string to_string(const listen_address& address) {
  const auto bracketed = address.host.find(':') != std::string::npos;
  return (bracketed ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

std::optional<listen_address> parse_listen_address(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  const auto port = parse_number<std::uint16_t>(text.substr(colon + 1));
  auto host = text.substr(0, colon);
  const auto bracketed = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
  if (bracketed)
    host = host.substr(1, host.size() - 2);
  const auto fits =
    bracketed ? std::ranges::all_of(host, is_of_address) && host.find(':') != std::string_view::npos
              : std::ranges::all_of(host, is_of_name);
  if (!port || *port == 0 || host.empty() || !fits)
    return std::nullopt;
  return listen_address{.host = std::string{host}, .port = *port};
}

} // namespace replicant
