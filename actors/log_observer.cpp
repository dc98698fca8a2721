// SPDX-License-Identifier: MIT
#include "replicant/actors/log_observer.hpp"

#include "replicant/actors/event_line.hpp"
#include "replicant/actors/json_line.hpp"
#include "replicant/actors/readable.hpp"

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

spdlog::level::level_enum level_of(severity what) {
  switch (what) {
    case severity::trace: return spdlog::level::trace;
    case severity::debug: return spdlog::level::debug;
    case severity::info: return spdlog::level::info;
    case severity::warning: return spdlog::level::warn;
    case severity::error: break;
  }
  return spdlog::level::err;
}

event_line line_of(program_event what) {
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
      return {.level = severity::warning,
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

  [[nodiscard]] bool wants(severity level) const { return log_->should_log(level_of(level)); }

  void write(const event_line& what) {
    const auto level = level_of(what.level);
    if (!log_->should_log(level))
      return;
    if (format_ == log_format::text) {
      log_->log(level, "{}{}{}", what.pipeline, what.pipeline.empty() ? "" : ": ", what.text);
      return;
    }
    json object{{"pipeline", what.pipeline}, {"event", what.event}};
    object.update(what.fields);
    // The pattern has opened the object with the time and the level.
    log_->log(level, "{}", json_line(object).substr(1));
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
  if (writer_->wants(severity_of(what)))
    writer_->write(line_of(what));
}

void log_observer::on_progress(const progress& what) {
  event_line told{.pipeline = what.pipeline, .event = "progress"};
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
