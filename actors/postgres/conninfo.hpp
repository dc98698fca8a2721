// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/result.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::postgres {

/// libpq connection parameters: keyword to value. Never turned into a URI, so that no value needs
/// escaping. Holds secrets.
using parameters = std::map<std::string, std::string, std::less<>>;

enum class session_kind {
  replication, ///< A walsender of the database.
  ordinary,
};

/// Where and how to connect, as the user said it in a connection string, a service file and the
/// environment.
///
/// Everything that libpq understands works. Several hosts become several candidates, because
/// libpq's asynchronous connect would wait on one silent host for ever.
class conninfo {
public:
  /// Reads a keyword string or URI and what libpq adds to it, without touching the network.
  /// @fault command_failed when libpq would refuse it.
  [[nodiscard]] static result<conninfo> parse(const std::string& text);

  /// Of a string that `parse` refuses: the first keyword whose value libpq does not take, alone or
  /// beside those before it in the alphabet. @returns nothing when it is none of them.
  [[nodiscard]] static std::optional<std::string> refused_keyword(const std::string& text);

  /// Every keyword that libpq knows.
  [[nodiscard]] static std::vector<std::string> keywords();

  /// One set of parameters per server, in the order in which they are to be tried.
  ///
  /// The user's own `options` are kept, and the pinned settings follow them. TCP keepalives and
  /// time-outs that the user did not give get values that notice a dead peer within a minute. A
  /// password file that libpq would not read, because it is none or others may read it, is left
  /// out, so that libpq does not warn about it on stderr.
  [[nodiscard]] std::vector<parameters> candidates(session_kind kind) const;

  /// How long one candidate may take; zero: for ever.
  [[nodiscard]] std::chrono::seconds connect_timeout() const;

private:
  conninfo(parameters given, parameters effective)
    : given_{std::move(given)}, effective_{std::move(effective)} {}

  [[nodiscard]] std::string_view effective(std::string_view keyword) const;
  [[nodiscard]] parameters common(session_kind kind) const;

  parameters given_;     ///< What stands in the connection string.
  parameters effective_; ///< What libpq makes of it: service file, environment, defaults.
};

} // namespace replicant::postgres
