// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/companion.hpp"

#include "replicant/core/protocol/catalog_query.hpp"

namespace replicant::postgres {

namespace {

constexpr std::chrono::seconds patience{5};

std::optional<std::string> instance(connection& session) {
  const auto answer = session.query(server_instance_query(), in(patience));
  const auto started = answer ? answer->text(0, "started") : std::nullopt;
  return started ? std::optional<std::string>{*started} : std::nullopt;
}

} // namespace

std::optional<connection> open_companion(reached& main, const interrupt_flag* stop) {
  const auto expected = instance(main.session);
  if (!expected)
    return std::nullopt;
  auto to = main.session.same_server(main.by);
  to.erase("replication");
  auto session = connection::open(to, stop, in(patience));
  // Behind a balancing proxy one address may lead to several servers.
  if (!session || instance(*session) != expected)
    return std::nullopt;
  // It idles for as long as the stream lives.
  if (!session->query(pin_settings_query(session->server_version()), in(patience)))
    return std::nullopt;
  session->ignore_interrupt();
  return std::move(*session);
}

void cancel(connection& companion, std::uint32_t pid) {
  static_cast<void>(companion.query(cancel_query(pid), in(std::chrono::milliseconds{500})));
}

} // namespace replicant::postgres
