// SPDX-License-Identifier: MIT
#include "replicant/config/store_section.hpp"

#include "replicant/config/batch_keys.hpp"
#include "replicant/config/value_readers.hpp"

#include <array>
#include <variant>

namespace replicant {

namespace {

using enum presence;

constexpr std::int64_t most_retries = 1000;
constexpr std::int64_t longest_backoff = 60'000; // ms

constexpr section<batch_delivery> batch_section{
  "pipeline.checkpoint_store.batch", batch_keys,
  "[pipeline.checkpoint_store.batch] with max_transactions = 100 below it"};

using store = checkpoint_store_settings;

void max_retries(store& into, const node& value, std::string_view path, reading& log) {
  number<&checkpoint_retry::max_retries, 0, most_retries>(into.retry, value, path, log);
}

void retry_backoff(store& into, const node& value, std::string_view path, reading& log) {
  number<&checkpoint_retry::backoff, 1, longest_backoff>(into.retry, value, path, log);
}

void batch(store& into, const node& value, std::string_view /*path*/, reading& log) {
  read_table(into.batch.emplace(), value, batch_section, log);
}

constexpr std::array store_keys{
  key<store>{"conninfo", required, conninfo<&store::conninfo>,
             R"(conninfo = "host=db2 dbname=shop user=cdc")"},
  key<store>{"table", optional, text<&store::table, check_store_table>},
  key<store>{"max_retries", optional, max_retries},
  key<store>{"retry_backoff_ms", optional, retry_backoff},
  key<store>{"batch", optional, batch},
};
constexpr section<store> store_section{
  "pipeline.checkpoint_store", store_keys,
  R"([pipeline.checkpoint_store] with conninfo = "host=db2 dbname=shop user=cdc" below it)"};

bool writes_file(const pipeline_settings& pipeline) {
  const auto* const lines = std::get_if<jsonl_settings>(&pipeline.sink);
  return lines != nullptr && !lines->path.empty() && !lines->to_standard_output();
}

} // namespace

checkpoint_store_settings read_store(const node& value, reading& log) {
  store into;
  read_table(into, value, store_section, log);
  return into;
}

void judge_store(const pipeline_settings& pipeline, reading& log) {
  constexpr std::string_view path = store_section.path;
  const auto at = log.place_of(path);
  if (!pipeline.checkpoint_store || !at)
    return;
  if (pipeline.batch_delivery)
    log.refuse(*at, path,
               "does not go together with batch_delivery, whose sinks keep their own position; "
               "remove one of the two (the store can be written for several transactions at once: "
               "[pipeline.checkpoint_store.batch])");
  if (writes_file(pipeline))
    log.refuse(*at, path,
               "has no meaning for a sink that writes a file, which keeps its own position; remove "
               "it, or write path = \"-\" or kind = \"null\"");
}

std::vector<std::string> known_store_keys() {
  std::vector<std::string> names;
  append_names(names, store_section);
  append_names(names, batch_section);
  return names;
}

} // namespace replicant
