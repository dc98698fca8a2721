// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/slot_inquiry.hpp"

#include "replicant/core/model/number_text.hpp"
#include "replicant/core/protocol/catalog_query.hpp"

#include <cstdint>
#include <utility>

namespace replicant::postgres {

namespace {

/// A whole number of bytes, none where it is negative; nothing when it is not told.
std::optional<std::uint64_t> bytes(std::optional<std::string_view> text) {
  const auto number = text ? parse_number<std::int64_t>(*text) : std::nullopt;
  if (!number)
    return std::nullopt;
  return *number < 0 ? 0 : static_cast<std::uint64_t>(*number);
}

} // namespace

std::optional<slot_standing> slot_standing_of(const rows& answer) {
  if (answer.count() == 0)
    return std::nullopt;
  return slot_standing{.wal_status = slot_wal_status_of(answer.text(0, "wal_status").value_or("")),
                       .retained_bytes = bytes(answer.text(0, "retained")).value_or(0),
                       .safe_bytes = bytes(answer.text(0, "safe")),
                       .limit_bytes = bytes(answer.text(0, "limit"))};
}

void slot_inquiry::ask(connection& session, std::string_view slot) {
  if (!asked_)
    asked_ = session.send(slot_standing_query(slot));
}

std::optional<slot_standing> slot_inquiry::answer(connection& session) {
  if (!asked_)
    return std::nullopt;
  const auto here = session.collect();
  if (here.found)
    found_ = slot_standing_of(*here.found);
  if (!here.over)
    return std::nullopt;
  asked_ = false;
  return std::exchange(found_, std::nullopt);
}

} // namespace replicant::postgres
