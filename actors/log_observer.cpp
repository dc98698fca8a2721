// SPDX-License-Identifier: MIT
#include "replicant/actors/log_observer.hpp"

#include "replicant/actors/fault_fields.hpp"
#include "replicant/actors/json_line.hpp"
#include "replicant/actors/readable.hpp"
#include "replicant/actors/slot_fields.hpp"

#include <nlohmann/json.hpp>
#include <spdlog/async.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <string>

namespace replicant {

namespace {

using json = nlohmann::ordered_json;
using spdlog::level::level_enum;

/// One thing to write, in both forms.
struct line {
  level_enum level = level_enum::info;
  std::string_view pipeline{};
  std::string_view event{};
  std::string text{}; ///< For people, without the pipeline's name.
  json fields = json::object();
};

level_enum level_of(event_kind kind) {
  switch (kind) {
    case event_kind::connecting:
    case event_kind::connected:
    case event_kind::slot_created:
    case event_kind::streaming:
    case event_kind::stopped:
    case event_kind::tail_cut:
    case event_kind::store_recovered:
    case event_kind::schema_changed: return level_enum::info;
    // Under a slow sink these two take turns many times in a second.
    case event_kind::paced:
    case event_kind::resumed:
    // What follows from these two is told by others.
    case event_kind::sink_failed:
    case event_kind::disconnected: return level_enum::debug;
    case event_kind::assembled:
    case event_kind::made_durable:
    case event_kind::idle_advanced:
    case event_kind::messages_taken:
    case event_kind::acknowledged:
    case event_kind::rolled_back: return level_enum::trace;
    // A large transaction spills many times.
    case event_kind::spilled: return level_enum::debug;
    case event_kind::spill_exhausted:
    case event_kind::server_leaving:
    case event_kind::generation_lost:
    case event_kind::identity_missing:
    case event_kind::store_retrying:
    case event_kind::schema_refused:
    case event_kind::slot_at_risk: return level_enum::warn;
    case event_kind::halted: return level_enum::err;
  }
  return level_enum::err;
}

void add_fault(line& to, const fault& what) {
  to.fields.update(fault_fields(what));
  to.text.append(readable_fault(what));
}

void add_unidentified(line& to, const telemetry_event& what) {
  to.text = readable_identity_missing(what);
  if (what.table.empty()) {
    to.fields["tables"] = what.count;
    return;
  }
  to.fields["table"] = what.table;
  to.fields["cure"] = identity_cure(what.table);
}

void add_schema_change(line& to, std::string_view verdict, const schema_change* what) {
  if (what == nullptr)
    return;
  to.fields["schema"] = what->after->schema;
  to.fields["table"] = what->after->name;
  auto& changes = to.fields["changes"] = json::array();
  for (const auto& one : what->differences) {
    json said{{"change", to_string(one.kind)}};
    if (!one.column.empty())
      said["column"] = one.column;
    changes.push_back(std::move(said));
  }
  to.fields["position"] = to_string(what->at);
  to.text.append(verdict).append(printable(to_string(*what)));
}

void add_position(line& to, std::string_view before, lsn position) {
  to.fields["position"] = to_string(position);
  to.text.append(before).append(to_string(position));
}

void add_slot_risk(line& to, const slot_standing* slot) {
  if (slot == nullptr)
    return;
  to.fields.update(slot_fields(*slot));
  to.fields["cure"] = slot_cure();
  to.text = readable_slot_risk(*slot);
}

/// Adds a field, and for people the number and what it counts.
void add_count(line& to, const char* field, std::uint64_t count, std::string_view what) {
  to.fields[field] = count;
  to.text.append(to.text.empty() ? "" : ", ").append(std::to_string(count)).append(what);
}

void add_duration(line& to, const telemetry_event& what) {
  to.fields["duration_us"] = what.duration.count();
  to.text.append(" in ").append(std::to_string(what.duration.count())).append(" us");
}

/// What is told again and again while a stream runs.
void describe_routine(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::assembled:
      add_count(to, "transactions", what.count, " transactions");
      add_count(to, "changes", what.changes, " rows have become whole");
      break;
    case event_kind::made_durable:
      add_count(to, "transactions", what.count, " transactions");
      add_count(to, "changes", what.changes, " rows");
      add_count(to, "bytes", what.bytes, " bytes are durable");
      add_duration(to, what);
      add_position(to, ", up to ", what.position);
      break;
    case event_kind::idle_advanced:
      add_position(to, "nothing is published up to ", what.position);
      break;
    case event_kind::messages_taken:
      add_count(to, "messages", what.count, " messages");
      add_count(to, "bytes", what.bytes, " bytes are durable");
      break;
    case event_kind::acknowledged: add_position(to, "acknowledged ", what.position); break;
    default: break;
  }
}

/// What is told of tables.
void describe_table(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::identity_missing: add_unidentified(to, what); break;
    case event_kind::schema_changed:
      add_schema_change(to, "a table has changed: ", what.change);
      break;
    case event_kind::schema_refused:
      add_schema_change(to, "a table has changed, and the sink does not take it: ", what.change);
      break;
    default: break;
  }
}

/// What is told of where the position is kept: the checkpoint store, or the sink itself.
void describe_store(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::store_retrying:
      to.fields["failures"] = what.count;
      to.text = "the checkpoint store failed, and is tried again; nothing is delivered meanwhile: ";
      add_fault(to, what.failure);
      break;
    case event_kind::store_recovered: to.text = "the checkpoint store answers again"; break;
    case event_kind::tail_cut:
      to.fields["bytes"] = what.count;
      to.text = "cut " + std::to_string(what.count) +
                " bytes off the end of the sink's file: its last writer did not finish them, and "
                "they come again";
      break;
    case event_kind::sink_failed:
      to.text = "what the sink was handed is given up";
      add_duration(to, what);
      to.text.append(": ");
      add_fault(to, what.failure);
      break;
    default: break;
  }
}

void describe_slot(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::slot_created:
      add_position(to, "made its slot, consistent at ", what.position);
      break;
    case event_kind::slot_at_risk: add_slot_risk(to, what.slot); break;
    default: break;
  }
}

void describe_open(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::spilled:
      to.fields["transactions"] = what.count;
      to.fields["bytes"] = what.bytes;
      to.text = "open transactions outgrew memory: " + std::to_string(what.bytes) +
                " bytes of them went to disk";
      break;
    case event_kind::spill_exhausted:
      to.fields["bytes"] = what.bytes;
      to.text = "open transactions take all of the " + std::to_string(what.bytes) +
                " bytes that they may have on disk";
      break;
    case event_kind::rolled_back:
      to.fields["transactions"] = what.count;
      to.text = "rolled back while they were taken: " + std::to_string(what.count);
      break;
    default: break;
  }
}

void describe(line& to, const telemetry_event& what) {
  switch (what.kind) {
    case event_kind::connecting:
      to.fields["generation"] = what.count;
      to.text = "connecting";
      break;
    case event_kind::connected:
      to.fields["server_version"] = readable_server_version(what.count);
      to.text = "connected to PostgreSQL " + readable_server_version(what.count);
      break;
    case event_kind::streaming: add_position(to, "streaming from ", what.position); break;
    case event_kind::paced:
      to.fields["in_flight_bytes"] = what.count;
      to.text = "reading rests, the sink has " + readable_size(what.count) + " to make durable";
      break;
    case event_kind::resumed: to.text = "reading goes on"; break;
    case event_kind::server_leaving:
      to.text = "the server ended a session of ours; letting go, so that it can shut down";
      break;
    case event_kind::generation_lost:
      to.fields["delay_ms"] = what.delay.count();
      to.text = "interrupted, next attempt in " + std::to_string(what.delay.count()) + " ms: ";
      add_fault(to, what.failure);
      break;
    case event_kind::halted:
      to.text = "HALTED: ";
      add_fault(to, what.failure);
      break;
    case event_kind::stopped:
      to.text = "stopped";
      if (what.position != lsn{})
        add_position(to, ", acknowledged ", what.position);
      break;
    case event_kind::assembled:
    case event_kind::made_durable:
    case event_kind::idle_advanced:
    case event_kind::messages_taken:
    case event_kind::acknowledged: describe_routine(to, what); break;
    case event_kind::identity_missing:
    case event_kind::schema_changed:
    case event_kind::schema_refused: describe_table(to, what); break;
    case event_kind::store_retrying:
    case event_kind::store_recovered:
    case event_kind::tail_cut:
    case event_kind::sink_failed: describe_store(to, what); break;
    case event_kind::slot_created:
    case event_kind::slot_at_risk: describe_slot(to, what); break;
    case event_kind::spilled:
    case event_kind::spill_exhausted:
    case event_kind::rolled_back: describe_open(to, what); break;
    case event_kind::disconnected: to.text = "disconnected"; break;
  }
}

line line_of(program_event what) {
  switch (what) {
    case program_event::started: return {.event = "started", .text = "running"};
    case program_event::at_least_once:
      return {.event = "at_least_once",
              .text = "standard output gets every transaction at least once: what was not "
                      "acknowledged when the program ended comes again"};
    case program_event::stop_requested:
      return {.event = "stop_requested",
              .text = "stopping as asked; a second signal leaves at once"};
    case program_event::state_not_written:
      return {.level = level_enum::warn,
              .event = "state_not_written",
              .text = "its halt could not be written to the state folder; see that this can be "
                      "written and has room"};
  }
  return {};
}

/// Hands finished lines to somebody else.
class handing_sink final : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
public:
  explicit handing_sink(log_target write) : write_{std::move(write)} {}

private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    write_({text.data(), text.size()});
  }

  void flush_() override {}

  log_target write_;
};

spdlog::sink_ptr sink_of(log_target write) {
  if (write)
    return std::make_shared<handing_sink>(std::move(write));
  return std::make_shared<spdlog::sinks::stderr_sink_mt>();
}

} // namespace

class log_observer::writer {
public:
  writer(const runtime_settings& how, log_target write)
    : format_{how.log_format},
      queue_{std::make_shared<spdlog::details::thread_pool>(queue_length, 1)},
      log_{std::make_shared<spdlog::async_logger>("replicant", sink_of(std::move(write)), queue_,
                                                  spdlog::async_overflow_policy::overrun_oldest)} {
    log_->set_level(spdlog::level::from_str(how.log_level));
    // Its default prints what it could not write.
    log_->set_error_handler([](const std::string&) {});
    log_->set_pattern(format_ == log_format::json
                        ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v)"
                        : "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v",
                      spdlog::pattern_time_type::utc);
  }

  [[nodiscard]] bool wants(level_enum level) const { return log_->should_log(level); }

  void write(const line& what) {
    if (!wants(what.level))
      return;
    if (format_ == log_format::text) {
      log_->log(what.level, "{}{}{}", what.pipeline, what.pipeline.empty() ? "" : ": ", what.text);
      return;
    }
    json object{{"pipeline", what.pipeline}, {"event", what.event}};
    object.update(what.fields);
    // The pattern has opened the object with the time and the level.
    log_->log(what.level, "{}", json_line(object).substr(1));
  }

private:
  static constexpr std::size_t queue_length = 4096;

  log_format format_;
  std::shared_ptr<spdlog::details::thread_pool> queue_;
  std::shared_ptr<spdlog::async_logger> log_;
};

log_observer::log_observer(const runtime_settings& how, log_target write)
  : writer_{std::make_unique<writer>(how, std::move(write))} {}

log_observer::~log_observer() = default;

void log_observer::on_event(const telemetry_event& what) {
  line told{.level = level_of(what.kind), .pipeline = what.pipeline, .event = to_string(what.kind)};
  if (!writer_->wants(told.level))
    return;
  describe(told, what);
  writer_->write(told);
}

void log_observer::on_progress(const progress& what) {
  line told{.pipeline = what.pipeline, .event = "progress"};
  told.fields["transactions_per_second"] = what.transactions_per_second;
  told.fields["changes_per_second"] = what.changes_per_second;
  told.fields["lag_bytes"] = what.lag_bytes;
  told.fields["lag_seconds"] = what.lag ? json(what.lag->count()) : json{};
  told.fields["paced"] = what.paced;
  told.text = readable_progress(what) + (what.paced ? ", waiting for the sink" : "");
  writer_->write(told);
}

void log_observer::on_program(program_event what, std::string_view pipeline) {
  auto told = line_of(what);
  told.pipeline = pipeline;
  writer_->write(told);
}

} // namespace replicant
