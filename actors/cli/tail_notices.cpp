// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tail_notices.hpp"

#include "replicant/actors/readable.hpp"

#include <utility>

namespace replicant::cli {

namespace {

std::string line(const std::string& text) {
  return "replicant: " + text + "\n";
}

} // namespace

std::string tail_notices::on_event(const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::connected: server_version_ = what.count; break;
    case event_kind::streaming: return on_streaming();
    case event_kind::generation_lost: return on_lost(what.failure);
    case event_kind::halted: return on_halted(what.failure);
    case event_kind::identity_missing: return line(readable_identity_missing(what));
    case event_kind::slot_at_risk:
      return what.slot != nullptr ? line(readable_slot_risk(*what.slot)) : std::string{};
    case event_kind::connecting:
    case event_kind::slot_created:
    case event_kind::paced:
    case event_kind::resumed:
    case event_kind::server_leaving:
    case event_kind::stopped:
    case event_kind::tail_cut:
    case event_kind::schema_changed:
    case event_kind::schema_refused:
    case event_kind::assembled:
    case event_kind::made_durable:
    case event_kind::idle_advanced:
    case event_kind::messages_taken:
    case event_kind::acknowledged:
    case event_kind::sink_failed:
    case event_kind::disconnected:
    case event_kind::store_retrying:
    case event_kind::store_recovered:
    case event_kind::spilled:
    case event_kind::spill_exhausted:
    case event_kind::rolled_back: break;
  }
  return {};
}

std::string tail_notices::on_halted(const fault& why) {
  auto text = line("HALTED: " + readable_fault(why));
  // There is no configuration here in which to put it right.
  if (why.why == reason::spill_exhausted || why.why == reason::spill_io_failed)
    text += line("tail keeps what does not fit into memory in a folder of its own below TMPDIR, or "
                 "/tmp; name one there that can be written and has room");
  return text;
}

std::string tail_notices::on_streaming() {
  const auto first = !std::exchange(streamed_, true);
  const auto again = std::exchange(trouble_, std::nullopt).has_value();
  if (!first || !watched_)
    return again ? line("connected again") : std::string{};
  return line("connected to PostgreSQL " + readable_server_version(server_version_) +
              ", temporary slot " + slot_) +
         line("waiting for changes; Ctrl-C ends it");
}

std::string tail_notices::on_lost(const fault& why) {
  // A server that is away is tried again and again: each reason is told once.
  if (std::exchange(trouble_, why.why) == why.why)
    return {};
  return line("interrupted: " + readable_fault(why));
}

std::string tail_notices::on_slow_start() {
  return line("the server makes a slot, for which it waits until the transactions that are open on "
              "it now have ended");
}

std::string tail_notices::on_nothing_published() {
  return line("there is no table in these publications now; add one with "
              "ALTER PUBLICATION <name> ADD TABLE <table>;");
}

std::string tail_notices::on_unpublished(std::size_t unpublished, std::size_t asked) {
  if (unpublished == 0)
    return {};
  const auto which = asked == 1 ? std::string{"the table asked for is"}
                                : std::to_string(unpublished) + " of the " + std::to_string(asked) +
                                    " tables asked for are";
  return line(which + " in none of these publications now; names are taken exactly as the catalog "
                      "spells them");
}

} // namespace replicant::cli
