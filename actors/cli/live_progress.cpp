// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/live_progress.hpp"

#include "replicant/actors/cli/progress_line.hpp"
#include "replicant/actors/cli/sink_choice.hpp"
#include "replicant/actors/cli/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace replicant::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto redraw_interval = 250ms;
constexpr auto rates_over = 2s;

bool writes_to_terminal(const pipeline_settings& one) {
  return writes_to_standard_output(one) && is_terminal(STDOUT_FILENO);
}

} // namespace

bool can_show_progress(const settings& what, const environment& lookup) {
  return what.runtime.log_format == log_format::text && is_terminal(STDERR_FILENO) &&
         !is_dumb(lookup) && std::ranges::none_of(what.pipelines, writes_to_terminal);
}

live_progress::live_progress(live_lines& lines, question statuses, const environment& lookup)
  : lines_{lines}, coloured_{!declines_colours(lookup)} {
  thread_ = std::jthread{
    [this, ask = std::move(statuses)](const std::stop_token& leave) { run(leave, ask); }};
}

live_progress::~live_progress() {
  thread_.request_stop();
  thread_.join();
  lines_.show({});
}

void live_progress::run(const std::stop_token& leave, const question& statuses) {
  std::mutex mutex;
  std::condition_variable_any waiting;
  std::unique_lock lock{mutex};
  std::vector<std::string> shown;
  while (!leave.stop_requested()) {
    window_.push_back({clock::now(), statuses()});
    while (window_.back().at - window_.front().at > rates_over)
      window_.pop_front();
    if (auto lines = draw(); lines != shown) {
      shown = lines;
      lines_.show(std::move(lines));
    }
    waiting.wait_for(lock, leave, redraw_interval, [] { return false; });
  }
}

std::vector<std::string> live_progress::draw() const {
  const auto& [then, before] = window_.front();
  const auto& [at, now] = window_.back();
  const auto wall = to_timestamp(std::chrono::system_clock::now());
  // A line that fills the last column would have the cursor between two lines.
  const auto width = terminal_width(STDERR_FILENO);
  progress_style style{.width = width > 1 ? width - 1 : 79, .coloured = coloured_};
  for (const auto& one : now)
    style.name_width = std::max(style.name_width, one.name.size());
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < now.size(); ++i)
    lines.push_back(
      progress_line(now[i], progress_between(before[i], now[i], at - then, wall), style));
  return lines;
}

} // namespace replicant::cli
