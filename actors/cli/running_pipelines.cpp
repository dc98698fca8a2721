// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/running_pipelines.hpp"

#include <caf/actor_system.hpp>
#include <caf/duration.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/sec.hpp>

#include <algorithm>
#include <utility>

namespace replicant::cli {

namespace {

/// Without those that have not answered.
std::vector<pipeline_status> told(std::vector<std::optional<pipeline_status>> asked) {
  std::vector<pipeline_status> all;
  for (auto& one : asked)
    if (one)
      all.push_back(std::move(*one));
  return all;
}

} // namespace

void running_pipelines::start(const pipeline_settings& settings,
                              const std::shared_ptr<observer>& watcher) {
  auto sink = choose_sink(settings);
  auto actor = replicant::start(system_, settings, sink.make, watcher);
  const std::lock_guard lock{mutex_};
  pipelines_.push_back({.name = settings.name, .actor = std::move(actor), .sink = std::move(sink)});
}

void running_pipelines::leave_halted(const pipeline_status& halted) {
  const std::lock_guard lock{mutex_};
  pipelines_.push_back({.name = halted.name, .actor = {}, .reported = halted});
}

std::vector<pipeline_status> running_pipelines::statuses() const {
  return told(ask(caf::infinite));
}

std::vector<pipeline_status>
running_pipelines::statuses_within(std::chrono::milliseconds patience) const {
  return told(ask(caf::duration{patience}));
}

bool running_pipelines::answer(std::chrono::milliseconds patience) const {
  return std::ranges::all_of(ask(caf::duration{patience}),
                             [](const auto& one) { return one.has_value(); });
}

std::vector<std::optional<pipeline_status>> running_pipelines::ask(caf::duration patience) const {
  const auto pipelines = [this] {
    const std::lock_guard lock{mutex_};
    return pipelines_;
  }();
  caf::scoped_actor self{system_};
  // All are asked before the first is waited for, so that one patience is enough for all.
  const auto ask_one = [&](const running& one) {
    return self->request(one.actor, patience, tell_status{});
  };
  std::vector<std::optional<decltype(ask_one(running{}))>> requests;
  for (const auto& one : pipelines)
    requests.push_back(one.actor ? std::optional{ask_one(one)} : std::nullopt);
  std::vector<std::optional<pipeline_status>> all;
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    auto& answer = all.emplace_back(pipelines[i].reported);
    if (requests[i])
      requests[i]->receive([&](const status_told& now) { answer = now.status; },
                           [&](const caf::error& why) {
                             answer.reset();
                             // Any other error is an end by a defect, which is told at once.
                             if (why != caf::sec::request_timeout)
                               answer = replicant::status(system_, pipelines[i].actor);
                           });
    if (answer)
      answer->name = pipelines[i].name; // Also of one that has ended by a defect.
  }
  return all;
}

void running_pipelines::report_progress(log_observer& log, std::chrono::duration<double> elapsed) {
  auto now = statuses();
  const auto clock = to_timestamp(std::chrono::system_clock::now());
  const std::lock_guard lock{mutex_};
  for (std::size_t i = 0; i < now.size(); ++i) {
    auto& before = pipelines_[i].reported;
    if (now[i].transactions + now[i].changes != before.transactions + before.changes)
      log.on_progress(progress_between(before, now[i], elapsed, clock));
    before = std::move(now[i]);
  }
}

std::vector<pipeline_status> running_pipelines::stop(std::chrono::milliseconds patience) {
  std::vector<pipeline_actor> actors;
  std::vector<pipeline_status> last;
  for (const auto& one : pipelines_)
    if (one.actor)
      actors.push_back(one.actor);
    else
      last.push_back(one.reported);
  for (auto& told : replicant::stop(system_, actors, patience))
    last.push_back(std::move(told));
  return last;
}

std::string running_pipelines::closing_words() const {
  std::string words;
  for (const auto& one : pipelines_)
    if (const auto line = one.actor ? one.sink.closing_words() : ""; !line.empty())
      words.append(one.name).append(": ").append(line).append("\n");
  return words;
}

std::optional<std::string> running_pipelines::owner_of_standard_output() const {
  const std::lock_guard lock{mutex_};
  const auto found =
    std::ranges::find_if(pipelines_, [](const auto& one) { return one.sink.to_standard_output; });
  return found == pipelines_.end() ? std::nullopt : std::optional{found->name};
}

} // namespace replicant::cli
