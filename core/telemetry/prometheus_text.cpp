// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/prometheus_text.hpp"

#include "replicant/core/telemetry/progress.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace replicant {

namespace {

constexpr double microseconds_per_second = 1e6;
/// From 1970, where Prometheus begins to count, to 2000, where PostgreSQL does.
constexpr double seconds_to_2000 = 946'684'800;

std::string number(double value) {
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), written.ptr};
}

/// A bound as a label, by which people and queries name it: never with an exponent.
std::string bound(double value) {
  std::array<char, 32> digits{};
  const auto written =
    std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  return {digits.data(), written.ptr};
}

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

/// As a label's value stands between quotes.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const auto c : text) {
    if (c == '\\' || c == '"')
      safe += '\\';
    safe += c == '\n' ? std::string{"\\n"} : std::string(1, c);
  }
  return safe;
}

/// The samples of one metric and one pipeline.
class samples {
public:
  samples(std::string& text, std::string_view metric, std::string_view pipeline)
    : text_{text}, metric_{metric}, pipeline_{escaped(pipeline)} {}

  void add(std::uint64_t value) { add({}, {}, {}, number(value)); }

  void add(double value) { add({}, {}, {}, number(value)); }

  /// One for a word of a closed set.
  void add(std::string_view label, std::string_view word, std::uint64_t value) {
    add({}, label, word, number(value));
  }

  template <std::size_t Count>
  void add(const histogram<Count>& seen, double unit) {
    for (std::size_t place = 0; place < Count; ++place)
      add("_bucket", "le", bound(static_cast<double>(seen.bounds()[place]) / unit),
          number(seen.up_to(place)));
    add("_bucket", "le", "+Inf", number(seen.count()));
    add("_sum", {}, {}, number(static_cast<double>(seen.sum()) / unit));
    add("_count", {}, {}, number(seen.count()));
  }

private:
  void add(std::string_view suffix, std::string_view label, std::string_view word,
           std::string_view value) {
    text_.append(metric_).append(suffix).append("{pipeline=\"").append(pipeline_).append("\"");
    if (!label.empty())
      text_.append(",").append(label).append("=\"").append(word).append("\"");
    text_.append("} ").append(value).append("\n");
  }

  std::string& text_;
  std::string_view metric_;
  std::string pipeline_;
};

void state(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  for (const auto phase : pipeline_phases)
    to.add("state", to_string(phase), of.status.phase == phase ? 1U : 0U);
}

void halted(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  const auto& status = of.status;
  const auto halts = status.phase == pipeline_phase::halted && status.last_fault;
  for (auto one = std::uint8_t{1}; one <= reason_count; ++one) {
    const auto why = static_cast<reason>(one);
    to.add("reason", to_string(why), halts && status.last_fault->why == why ? 1U : 0U);
  }
}

void retries(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  for (auto one = std::uint8_t{1}; one <= reason_count; ++one)
    if (const auto why = static_cast<reason>(one); disposition_of(why) != disposition::halt)
      to.add("reason", to_string(why), of.counts.retries(why));
}

void seconds_of(samples& to, timestamp when) {
  if (when != timestamp{})
    to.add(static_cast<double>(when.microseconds) / microseconds_per_second + seconds_to_2000);
}

/// A number of the status.
template <auto Member>
void told(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  to.add(std::uint64_t{of.status.*Member});
}

/// A position of the status, where there is one.
template <auto Member>
void position(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  if (const auto at = of.status.*Member; at != lsn{})
    to.add(at.value());
}

template <event_kind Kind>
void events(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  to.add(of.counts.events(Kind));
}

bool streams(const pipeline_status& one) {
  return one.phase == pipeline_phase::streaming || one.phase == pipeline_phase::stopping;
}

/// Without a stream, or before the first durable transaction, nobody knows it.
void lag_seconds(samples& to, const pipeline_reading& of, timestamp clock) {
  if (!streams(of.status))
    return;
  if (const auto lag = commit_lag(of.status, clock))
    to.add(static_cast<double>(lag->count()) / microseconds_per_second);
  else if (of.status.in_flight_bytes == 0)
    to.add(std::uint64_t{0});
}

void slot_status(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  if (of.status.slot)
    for (const auto status : slot_wal_statuses)
      to.add("wal_status", to_string(status), of.status.slot->wal_status == status ? 1U : 0U);
}

void slot_retained(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  if (of.status.slot)
    to.add(of.status.slot->retained_bytes);
}

void slot_limit(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  if (of.status.slot && of.status.slot->limit_bytes)
    to.add(*of.status.slot->limit_bytes);
}

void slot_safe(samples& to, const pipeline_reading& of, timestamp /*clock*/) {
  if (of.status.slot && of.status.slot->safe_bytes)
    to.add(*of.status.slot->safe_bytes);
}

/// A metric: how it is described, and what adds its samples of one pipeline.
struct family {
  metric_description about;
  void (*add)(samples& to, const pipeline_reading& of, timestamp clock);
};

using status = pipeline_status;

constexpr auto counter = "counter";
constexpr auto gauge = "gauge";
constexpr auto histogram_type = "histogram";

constexpr std::array families{
  family{{"replicant_state", gauge, "1 for the state that the pipeline is in, 0 for the others."},
         state},
  family{{"replicant_state_since_timestamp_seconds", gauge,
          "When it came into this state, in Unix time."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           seconds_of(to, of.status.phase_since);
         }},
  family{{"replicant_halted", gauge, "1 for the reason for which the pipeline is halted."}, halted},
  family{{"replicant_paced", gauge, "1 while reading rests until the sink has caught up."},
         told<&status::paced>},
  family{{"replicant_pacings_total", counter, "How often reading began to rest."},
         events<event_kind::paced>},
  family{{"replicant_retries_total", counter, "New attempts after a failure, by its reason."},
         retries},
  family{{"replicant_disconnects_total", counter, "Connections that have ended."},
         events<event_kind::disconnected>},
  family{{"replicant_durable_lsn", gauge, "Up to which the sink has made all durable."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           if (const auto at = of.status.durable.position(); at != lsn{})
             to.add(at.value());
         }},
  family{{"replicant_acknowledged_lsn", gauge, "What was last confirmed to the server."},
         position<&status::acknowledged>},
  family{{"replicant_received_lsn", gauge, "The furthest position that the server has told."},
         position<&status::received_end>},
  family{{"replicant_lag_bytes", gauge, "WAL between what is confirmed and what the server told."},
         told<&status::lag_bytes>},
  family{{"replicant_lag_seconds", gauge,
          "Age of the last durable commit while newer rows are in hand, 0 when there are none."},
         lag_seconds},
  family{{"replicant_last_commit_timestamp_seconds", gauge,
          "When the last durable transaction was committed, in Unix time."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           seconds_of(to, of.status.last_commit_time);
         }},
  family{{"replicant_in_flight_bytes", gauge, "Payload that was read and is not yet durable."},
         told<&status::in_flight_bytes>},
  family{{"replicant_open_transactions", gauge,
          "Transactions that were read in part, neither committed nor rolled back."},
         told<&status::open_transactions>},
  family{{"replicant_open_bytes", gauge, "Payload of theirs in memory."},
         told<&status::open_bytes>},
  family{{"replicant_spilled_bytes", gauge,
          "On disk now, of open transactions and of those that are being delivered."},
         told<&status::spilled_bytes>},
  family{{"replicant_streamed_transactions_total", counter,
          "Transactions that were read while open and then committed."},
         told<&status::streamed>},
  family{{"replicant_rolled_back_transactions_total", counter,
          "Transactions that were read while open and then rolled back."},
         told<&status::rolled_back>},
  family{{"replicant_spills_total", counter, "Transactions of which a part went to disk."},
         told<&status::spills>},
  family{{"replicant_spill_written_bytes_total", counter, "Bytes written to disk for them."},
         told<&status::spill_written>},
  family{{"replicant_assembled_transactions_total", counter,
          "Transactions that were read whole, durable or not."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           to.add(of.counts.assembled_transactions());
         }},
  family{{"replicant_assembled_rows_total", counter,
          "Rows and truncates of transactions that were read whole."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           to.add(of.counts.assembled_changes());
         }},
  family{{"replicant_transactions_total", counter, "Transactions made durable."},
         told<&status::transactions>},
  family{{"replicant_rows_total", counter, "Rows and truncates made durable."},
         told<&status::changes>},
  family{{"replicant_messages_total", counter, "Messages outside of transactions made durable."},
         told<&status::messages>},
  family{{"replicant_bytes_total", counter, "Payload made durable."}, told<&status::bytes>},
  family{
    {"replicant_batch_transactions", histogram_type,
     "Transactions that became durable in one step."},
    [](samples& to, const pipeline_reading& of, timestamp) { to.add(of.counts.batches(), 1); }},
  family{{"replicant_sink_latency_seconds", histogram_type,
          "From handing transactions to the sink until they were durable, once for each step."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           to.add(of.counts.latency(), microseconds_per_second);
         }},
  family{{"replicant_store_retries", gauge,
          "Attempts of the checkpoint store that failed in a row, 0 while it works."},
         told<&status::store_failures>},
  family{{"replicant_store_failures_total", counter,
          "Attempts of the checkpoint store that failed and were tried again."},
         events<event_kind::store_retrying>},
  family{{"replicant_sink_failures_total", counter,
          "What the sink, or the store of its position, gave up."},
         events<event_kind::sink_failed>},
  family{{"replicant_schema_changes_total", counter,
          "Changes of tables that the sink was told and took."},
         events<event_kind::schema_changed>},
  family{{"replicant_slot_wal_status", gauge,
          "1 for what the server says of the WAL that the slot needs."},
         slot_status},
  family{{"replicant_slot_retained_bytes", gauge, "WAL that the slot holds back on the server."},
         slot_retained},
  family{{"replicant_slot_limit_bytes", gauge,
          "WAL that the slot may hold back; no sample without a bound."},
         slot_limit},
  family{{"replicant_slot_safe_wal_size_bytes", gauge,
          "WAL that can be written until the slot is in danger; no sample without a bound."},
         slot_safe},
  family{{"replicant_slot_asked_timestamp_seconds", gauge,
          "When the server told of the slot, in Unix time."},
         [](samples& to, const pipeline_reading& of, timestamp) {
           if (of.status.slot)
             seconds_of(to, of.status.slot_asked_at);
         }},
  family{{"replicant_slot_warnings_total", counter, "Warnings that the slot may be lost."},
         events<event_kind::slot_at_risk>},
};

} // namespace

std::string prometheus_text(std::span<const pipeline_reading> pipelines, timestamp clock) {
  std::string text;
  for (const auto& [about, add] : families) {
    text.append("# HELP ").append(about.name).append(" ").append(about.help);
    text.append("\n# TYPE ").append(about.name).append(" ").append(about.type).append("\n");
    for (const auto& one : pipelines) {
      samples to{text, about.name, one.status.name};
      add(to, one, clock);
    }
  }
  return text;
}

std::vector<metric_description> metric_descriptions() {
  std::vector<metric_description> all;
  std::ranges::transform(families, std::back_inserter(all), &family::about);
  return all;
}

} // namespace replicant
