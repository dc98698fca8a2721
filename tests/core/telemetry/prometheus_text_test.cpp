// SPDX-License-Identifier: MIT
#include "replicant/core/telemetry/prometheus_text.hpp"
#include "replicant/tests/support/metric_samples.hpp"
#include "replicant/tests/support/moving_pipeline.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <regex>
#include <set>

using namespace replicant;
using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr timestamp clock_of_readings{13'900'000};

std::string text_of(const pipeline_status& status, const pipeline_counts& counts = {}) {
  const pipeline_reading one{.status = status, .counts = counts};
  return prometheus_text({&one, 1}, clock_of_readings);
}

std::map<std::string, double> told(const pipeline_status& status,
                                   const pipeline_counts& counts = {}) {
  return samples_of(text_of(status, counts));
}

pipeline_status halted(reason why) {
  auto one = streaming();
  one.phase = pipeline_phase::halted;
  one.last_fault = fault{.why = why};
  return one;
}

/// The first column of the table of metrics in docs/operating.md, and the second.
std::map<std::string, std::string> documented() {
  std::ifstream page{REPLICANT_SOURCE_DIR "/docs/operating.md"};
  REQUIRE(page);
  const std::regex row{R"(\| `(replicant_[a-z_]+)` \| ([a-z]+) \|.*)"};
  std::map<std::string, std::string> found;
  std::smatch parts;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, parts, row))
      found[parts[1]] = parts[2];
  return found;
}

} // namespace

TEST_CASE("every metric is described once, and named as Prometheus asks", "[telemetry][unit]") {
  const auto text = text_of(streaming());
  std::set<std::string> seen;
  for (const auto& [name, type, help] : metric_descriptions()) {
    INFO(name);
    CHECK(seen.emplace(name).second);
    CHECK(name.starts_with("replicant_"));
    CHECK((type == "counter") == name.ends_with("_total"));
    CHECK(std::set<std::string_view>{"counter", "gauge", "histogram"}.contains(type));
    CHECK(help.ends_with("."));
    CHECK(name.find("milli") == std::string_view::npos);
    const auto head = "# HELP " + std::string{name} + " " + std::string{help} + "\n# TYPE " +
                      std::string{name} + " " + std::string{type} + "\n";
    CHECK(text.find(head) != std::string::npos);
  }
}

TEST_CASE("the page lists the metrics that there are, and no others", "[telemetry][unit]") {
  std::map<std::string, std::string> there;
  for (const auto& one : metric_descriptions())
    there[std::string{one.name}] = one.type;
  CHECK(documented() == there);
}

TEST_CASE("every sample belongs to a metric that is described above it", "[telemetry][unit]") {
  auto status = streaming();
  status.slot = slot_standing{.safe_bytes = 1, .limit_bytes = 2};
  std::istringstream lines{text_of(status)};
  std::string described;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE "))
      described = line.substr(7, line.find(' ', 7) - 7);
    else if (!line.starts_with('#'))
      CHECK(line.starts_with(described));
  }
}

TEST_CASE("a pipeline is in one state", "[telemetry][unit]") {
  for (const auto phase : pipeline_phases) {
    auto one = streaming();
    one.phase = phase;
    const auto samples = told(one);
    auto sum = 0.0;
    for (const auto other : pipeline_phases)
      sum += samples.at(of_shop("replicant_state", "state", std::string{to_string(other)}));
    CHECK(sum == 1);
    CHECK(samples.at(of_shop("replicant_state", "state", std::string{to_string(phase)})) == 1);
  }
}

TEST_CASE("a halt is told by its reason, of all that there are", "[telemetry][unit]") {
  const auto halt = [](reason why) {
    return of_shop("replicant_halted", "reason", std::string{to_string(why)});
  };
  for (auto number = std::uint8_t{1}; number <= reason_count; ++number) {
    const auto why = static_cast<reason>(number);
    const auto samples = told(halted(why));
    auto sum = 0.0;
    for (auto other = std::uint8_t{1}; other <= reason_count; ++other)
      sum += samples.at(halt(static_cast<reason>(other)));
    CHECK(sum == 1);
    CHECK(samples.at(halt(why)) == 1);
  }
  auto recovered = halted(reason::slot_lost);
  recovered.phase = pipeline_phase::streaming;
  CHECK(told(recovered).at(halt(reason::slot_lost)) == 0);
}

TEST_CASE("counters are those of the status, and positions bytes", "[telemetry][unit]") {
  auto one = streaming();
  one.durable = watermark::through(lsn{0x16E3778});
  one.acknowledged = lsn{0x16E3779};
  one.bytes = 18'446'744'073'709'551'615U;
  one.messages = 5;
  one.store_failures = 3;
  one.open_transactions = 4;
  one.open_bytes = 6;
  one.spilled_bytes = 7;
  one.streamed = 8;
  one.rolled_back = 9;
  one.spills = 10;
  one.spill_written = 18'446'744'073'709'551'615U;
  const auto text = text_of(one);
  CHECK_THAT(text, Contains("\nreplicant_bytes_total{pipeline=\"shop\"} 18446744073709551615\n"));
  const auto samples = told(one);
  CHECK(samples.at(of_shop("replicant_transactions_total")) == 100);
  CHECK(samples.at(of_shop("replicant_rows_total")) == 1000);
  CHECK(samples.at(of_shop("replicant_messages_total")) == 5);
  CHECK(samples.at(of_shop("replicant_store_retries")) == 3);
  CHECK(samples.at(of_shop("replicant_open_transactions")) == 4);
  CHECK(samples.at(of_shop("replicant_open_bytes")) == 6);
  CHECK(samples.at(of_shop("replicant_spilled_bytes")) == 7);
  CHECK(samples.at(of_shop("replicant_streamed_transactions_total")) == 8);
  CHECK(samples.at(of_shop("replicant_rolled_back_transactions_total")) == 9);
  CHECK(samples.at(of_shop("replicant_spills_total")) == 10);
  CHECK_THAT(text, Contains("\nreplicant_spill_written_bytes_total{pipeline=\"shop\"} "
                            "18446744073709551615\n"));
  CHECK(samples.at(of_shop("replicant_durable_lsn")) == 0x16E3778);
  CHECK(samples.at(of_shop("replicant_acknowledged_lsn")) == 0x16E3779);
  CHECK_FALSE(samples.contains(of_shop("replicant_received_lsn")));
  CHECK(samples.at(of_shop("replicant_last_commit_timestamp_seconds")) == 946'684'810);
}

TEST_CASE("the lag in seconds is told while a stream tells of it", "[telemetry][unit]") {
  const auto lag = of_shop("replicant_lag_seconds");
  auto one = streaming();
  CHECK(told(one).at(lag) == Approx(3.9));
  one.in_flight_bytes = 0;
  CHECK(told(one).at(lag) == 0);
  one.last_commit_time = {};
  CHECK(told(one).at(lag) == 0);
  one.in_flight_bytes = 1;
  CHECK_FALSE(told(one).contains(lag));
  for (const auto phase :
       {pipeline_phase::connecting, pipeline_phase::waiting, pipeline_phase::halted}) {
    auto away = streaming();
    away.phase = phase;
    away.in_flight_bytes = 0;
    CHECK_FALSE(told(away).contains(lag));
  }
}

TEST_CASE("of a slot is told what the server has told", "[telemetry][unit]") {
  auto one = streaming();
  CHECK_THAT(text_of(one), !Contains("\nreplicant_slot_retained_bytes{"));
  one.slot = slot_standing{.wal_status = slot_wal_status::extended, .retained_bytes = 7};
  one.slot_asked_at = timestamp{1'500'000};
  auto samples = told(one);
  CHECK(samples.at(of_shop("replicant_slot_retained_bytes")) == 7);
  CHECK(samples.at(of_shop("replicant_slot_wal_status", "wal_status", "extended")) == 1);
  CHECK(samples.at(of_shop("replicant_slot_wal_status", "wal_status", "lost")) == 0);
  CHECK(samples.at(of_shop("replicant_slot_asked_timestamp_seconds")) == 946'684'801.5);
  CHECK_FALSE(samples.contains(of_shop("replicant_slot_limit_bytes")));
  CHECK_FALSE(samples.contains(of_shop("replicant_slot_safe_wal_size_bytes")));
  one.slot->limit_bytes = 9;
  one.slot->safe_bytes = 2;
  samples = told(one);
  CHECK(samples.at(of_shop("replicant_slot_limit_bytes")) == 9);
  CHECK(samples.at(of_shop("replicant_slot_safe_wal_size_bytes")) == 2);
}

TEST_CASE("a histogram counts up to each bound", "[telemetry][unit]") {
  pipeline_counts counts;
  for (const auto took : {500us, 501us, 70'000'000us})
    counts.add({.kind = event_kind::made_durable, .count = 3, .duration = took});
  const auto samples = told(streaming(), counts);
  const auto bucket = [&](const std::string& bound) {
    return samples.at(of_shop("replicant_sink_latency_seconds_bucket", "le", bound));
  };
  CHECK(bucket("0.0005") == 1);
  CHECK(bucket("0.001") == 2);
  CHECK(bucket("30") == 2);
  CHECK(bucket("+Inf") == 3);
  CHECK(samples.at(of_shop("replicant_sink_latency_seconds_count")) == 3);
  CHECK(samples.at(of_shop("replicant_sink_latency_seconds_sum")) == Approx(70.001001));
  CHECK(samples.at(of_shop("replicant_batch_transactions_bucket", "le", "2")) == 0);
  CHECK(samples.at(of_shop("replicant_batch_transactions_bucket", "le", "5")) == 3);
  CHECK(samples.at(of_shop("replicant_batch_transactions_sum")) == 9);
}

TEST_CASE("events are counted by their kind, lost generations by their reason",
          "[telemetry][unit]") {
  pipeline_counts counts;
  for (const auto kind :
       {event_kind::paced, event_kind::paced, event_kind::sink_failed, event_kind::disconnected,
        event_kind::schema_changed, event_kind::slot_at_risk, event_kind::store_retrying})
    counts.add({.kind = kind});
  counts.add({.kind = event_kind::assembled, .count = 4, .changes = 40});
  counts.add({.kind = event_kind::generation_lost, .failure = {.why = reason::connection_lost}});
  const auto samples = told(streaming(), counts);
  CHECK(samples.at(of_shop("replicant_pacings_total")) == 2);
  CHECK(samples.at(of_shop("replicant_sink_failures_total")) == 1);
  CHECK(samples.at(of_shop("replicant_disconnects_total")) == 1);
  CHECK(samples.at(of_shop("replicant_schema_changes_total")) == 1);
  CHECK(samples.at(of_shop("replicant_slot_warnings_total")) == 1);
  CHECK(samples.at(of_shop("replicant_store_failures_total")) == 1);
  CHECK(samples.at(of_shop("replicant_assembled_transactions_total")) == 4);
  CHECK(samples.at(of_shop("replicant_assembled_rows_total")) == 40);
  CHECK(samples.at(of_shop("replicant_retries_total", "reason", "connection_lost")) == 1);
  CHECK(samples.at(of_shop("replicant_retries_total", "reason", "crashed")) == 0);
  CHECK_FALSE(samples.contains(of_shop("replicant_retries_total", "reason", "slot_lost")));
}

TEST_CASE("a name cannot forge a sample", "[telemetry][unit]") {
  auto one = streaming();
  one.name = "a\"} 1\nforged \\";
  const auto text = text_of(one);
  CHECK_THAT(text, Contains("\nreplicant_paced{pipeline=\"a\\\"} 1\\nforged \\\\\"} 0\n"));
  CHECK_THAT(text, !Contains("\nforged"));
}

TEST_CASE("several pipelines share the description of a metric", "[telemetry][unit]") {
  auto other = streaming();
  other.name = "bank";
  const std::vector<pipeline_reading> both{{streaming(), {}}, {other, {}}};
  const auto text = prometheus_text(both, clock_of_readings);
  CHECK_THAT(text, Contains("# TYPE replicant_paced gauge\nreplicant_paced{pipeline=\"shop\"} 0\n"
                            "replicant_paced{pipeline=\"bank\"} 0\n# HELP"));
  // Metrics are described even while there is nothing to tell.
  CHECK_THAT(prometheus_text({}, clock_of_readings), Contains("# TYPE replicant_paced gauge\n#"));
}
