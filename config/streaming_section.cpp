// SPDX-License-Identifier: MIT
#include "replicant/config/streaming_section.hpp"

#include "replicant/config/value_readers.hpp"

#include <array>
#include <variant>

namespace replicant {

namespace {

using enum presence;

constexpr std::int64_t most_transactions = 10'000;

using disk = spill_settings;
constexpr std::array spill_keys{
  key<disk>{"dir", optional, text<&disk::dir, check_folder_path>},
  key<disk>{"max_spill_bytes", optional, size<&disk::max_spill_bytes>},
};
constexpr section<disk> spill_section{
  "pipeline.streaming.spill", spill_keys,
  R"(true, false or [pipeline.streaming.spill] with dir = "/var/lib/replicant/spill" below it)"};

using streams = streaming_settings;

/// A word for all of it, or a table for its parts.
void spill(streams& into, const node& value, std::string_view /*path*/, reading& log) {
  if (const auto* wanted = std::get_if<bool>(&value.content))
    into.spill = *wanted ? std::optional{disk{}} : std::nullopt;
  else
    read_table(into.spill.emplace(), value, spill_section, log);
}

constexpr std::array streaming_keys{
  key<streams>{"enabled", optional, flag<&streams::enabled>},
  key<streams>{"max_concurrent_txns", optional,
               number<&streams::max_concurrent_txns, 1, most_transactions>},
  key<streams>{"spill", optional, spill},
};
constexpr section<streams> streaming_section{
  "pipeline.streaming", streaming_keys,
  "[pipeline.streaming] with enabled = true or enabled = false below it"};

} // namespace

streaming_settings read_streaming(const node& value, reading& log) {
  streams into;
  read_table(into, value, streaming_section, log);
  constexpr std::string_view most = "pipeline.streaming.max_concurrent_txns";
  if (const auto at = log.place_of(most); at && !into.enabled)
    log.refuse(*at, most,
               "has no meaning with enabled = false, when the server sends one transaction at a "
               "time; write enabled = true or remove this key");
  return into;
}

void judge_streaming(const pipeline_settings& pipeline, reading& log) {
  constexpr std::string_view limit = "pipeline.streaming.spill.max_spill_bytes";
  const auto& spills = pipeline.streaming.spill;
  const auto at = log.place_of(limit);
  if (at && spills && spills->max_spill_bytes < pipeline.max_inflight_lag)
    log.refuse(*at, limit,
               "is less than max_inflight_lag, so that the disk would take less than memory does; "
               "raise it, or lower max_inflight_lag");
}

std::vector<std::string> known_streaming_keys() {
  std::vector<std::string> names;
  append_names(names, streaming_section);
  append_names(names, spill_section);
  return names;
}

} // namespace replicant
