// SPDX-License-Identifier: MIT
#include "replicant/actors/readable.hpp"

#include "replicant/core/values/character.hpp"

#include <array>
#include <cstdio>
#include <system_error>

namespace replicant {

namespace {

std::string with_one_decimal(double number) {
  std::array<char, 64> text{};
  const auto length = std::snprintf(text.data(), text.size(), "%.1f", number);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string rate(double per_second) {
  constexpr double worth_a_decimal = 10.0;
  return per_second < worth_a_decimal ? with_one_decimal(per_second)
                                      : std::to_string(static_cast<std::uint64_t>(per_second));
}

} // namespace

std::string readable_size(std::uint64_t bytes) {
  constexpr double step = 1024.0;
  if (bytes < 1024)
    return std::to_string(bytes) + " B";
  auto number = static_cast<double>(bytes);
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  const auto* unit = units.begin();
  for (number /= step; number >= step && unit + 1 != units.end(); number /= step)
    ++unit;
  return with_one_decimal(number) + " " + *unit;
}

std::string readable_progress(const progress& moved) {
  auto text = rate(moved.transactions_per_second) + " transactions/s, " +
              rate(moved.changes_per_second) + " rows/s, lag " + readable_size(moved.lag_bytes);
  if (moved.lag)
    text.append(", ").append(std::to_string(moved.lag->count())).append(" s");
  return text;
}

std::string readable_server_version(std::uint64_t number) {
  constexpr std::uint64_t major_unit = 10'000;
  if (number == 0)
    return "unknown";
  return std::to_string(number / major_unit) + "." + std::to_string(number % major_unit);
}

std::string readable_cause(std::string_view fault, std::string_view system_error) {
  std::string text{fault};
  if (!system_error.empty())
    text.append(" (").append(system_error).append(")");
  return text;
}

std::string readable_fault(const fault& what) {
  return readable_cause(to_string(what), readable_system_error(what)) + ": " + explain(what);
}

std::string identity_cure(std::string_view table) {
  return std::string{"ALTER TABLE "}.append(table).append(" REPLICA IDENTITY FULL;");
}

std::string readable_identity_missing(const telemetry_event& what) {
  if (what.table.empty())
    return std::to_string(what.count) + " more published tables have no replica identity";
  return "the published table " + printable(what.table) +
         " has no replica identity, so the source itself refuses its UPDATE and DELETE; give it a "
         "primary key, or run `" +
         printable(identity_cure(what.table)) + "`";
}

std::string_view slot_cure() {
  return "ALTER SYSTEM SET max_slot_wal_keep_size = '<size>'; SELECT pg_reload_conf();";
}

std::string readable_slot_risk(const slot_standing& slot) {
  auto text = "the slot holds back " + readable_size(slot.retained_bytes) + " of WAL";
  if (slot.limit_bytes)
    text += ", and the server keeps " + readable_size(*slot.limit_bytes) + " for it";
  return text.append(", then gives it up (wal_status ")
    .append(to_string(slot.wal_status))
    .append("); see that the sink keeps up, or allow for more with `")
    .append(slot_cure())
    .append("`");
}

std::string readable_system_error(const fault& what) {
  const auto number = find_fact(what, fact_kind::error_number);
  return number ? std::system_category().message(static_cast<int>(*number)) : std::string{};
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const auto one = first_character(text);
    shown.append(one.visible ? one.bytes : "?");
    text.remove_prefix(one.bytes.size());
  }
  return shown;
}

} // namespace replicant
