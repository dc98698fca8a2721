// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/progress_line.hpp"

#include "replicant/actors/readable.hpp"

#include <algorithm>

namespace replicant::cli {

namespace {

std::string_view colour_of(pipeline_phase phase) {
  switch (phase) {
    case pipeline_phase::streaming: return "32"; // green
    case pipeline_phase::connecting:
    case pipeline_phase::waiting: return "33";  // yellow
    case pipeline_phase::halted: return "1;31"; // bold red
    case pipeline_phase::stopping:
    case pipeline_phase::stopped: return "2"; // faint
  }
  return "0";
}

std::string state_of(const pipeline_status& of) {
  std::string text{to_string(of.phase)};
  if (of.paced && of.phase == pipeline_phase::streaming)
    text += " (paced)";
  if (of.last_fault && (of.phase == pipeline_phase::waiting || of.phase == pipeline_phase::halted))
    text.append(": ").append(to_string(of.last_fault->why));
  return text;
}

std::string movement_of(const pipeline_status& of, const progress& moved) {
  std::string text;
  if (of.phase == pipeline_phase::streaming)
    text += "  " + readable_progress(moved);
  // While a very large transaction is taken nothing else moves.
  if (of.spilled_bytes > 0)
    text += ", " + readable_size(of.spilled_bytes) + " on disk";
  if (of.last_commit_time != timestamp{})
    text += ", last commit " + to_string(of.last_commit_time);
  return text;
}

/// Leaves of `text` what fits into `room`, and takes that from it.
std::string cut(std::string text, std::size_t& room) {
  text.resize(std::min(text.size(), room));
  room -= text.size();
  return text;
}

} // namespace

std::string progress_line(const pipeline_status& of, const progress& moved,
                          const progress_style& style) {
  auto room = style.width;
  auto name = of.name;
  name.resize(std::max(name.size(), style.name_width), ' ');
  auto line = cut(name + "  ", room);
  const auto state = cut(state_of(of), room);
  if (style.coloured && !state.empty())
    line.append("\x1b[").append(colour_of(of.phase)).append("m").append(state).append("\x1b[0m");
  else
    line += state;
  return line + cut(movement_of(of, moved), room);
}

} // namespace replicant::cli
