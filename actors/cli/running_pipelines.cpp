// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/running_pipelines.hpp"

#include <caf/actor_system.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/sec.hpp>

#include <algorithm>
#include <iterator>

namespace replicant::cli {

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
  const std::lock_guard lock{mutex_};
  std::vector<pipeline_status> all;
  for (const auto& one : pipelines_) {
    auto told = one.actor ? replicant::status(system_, one.actor) : one.reported;
    told.name = one.name; // Also when it did not answer in time.
    all.push_back(std::move(told));
  }
  return all;
}

bool running_pipelines::answer(std::chrono::milliseconds patience) const {
  std::vector<pipeline_actor> actors;
  {
    const std::lock_guard lock{mutex_};
    std::ranges::transform(pipelines_, std::back_inserter(actors), &running::actor);
  }
  caf::scoped_actor self{system_};
  auto all = true;
  for (const auto& one : actors)
    // One that has ended by a defect is answered for at once, with another error.
    self->request(one, caf::duration{patience}, tell_status{})
      .receive([](const status_told&) {},
               [&all](const caf::error& why) { all = all && why != caf::sec::request_timeout; });
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
