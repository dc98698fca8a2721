// SPDX-License-Identifier: MIT
#include "replicant/tests/support/told_history.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace replicant::test {

namespace {

bool is_kind(const std::string& line, const std::string& kind) {
  return line.starts_with(R"({"kind":")" + kind + '"');
}

std::string id_in(const nlohmann::json& line) {
  // The key of a removed row is in its old image.
  const auto& row = line.contains("record") ? line.at("record") : line.at("old");
  return row.at("id").dump();
}

/// The event of a change line or a message line.
std::string event_of(const nlohmann::json& line) {
  if (line.at("kind") == "message")
    return "message " + line.at("prefix").get<std::string>();
  const auto what = line.at("op").get<std::string>() + " " + line.at("table").get<std::string>();
  return line.at("op") == "truncate" ? what : what + " " + id_in(line);
}

} // namespace

std::string to_text(const told_unit& unit) {
  constexpr std::size_t shown = 3;
  auto text = std::to_string(unit.xid) + ":";
  for (std::size_t at = 0; at < unit.events.size(); ++at)
    if (at < shown || at + shown >= unit.events.size())
      text += " [" + std::to_string(at) + "] " + unit.events[at];
  return text;
}

std::vector<std::string> unit_lines(const std::string& file) {
  std::vector<std::string> kept;
  std::ifstream input{file, std::ios::binary};
  for (std::string line; std::getline(input, line);)
    if (!is_kind(line, "header") && !is_kind(line, "state") && !is_kind(line, "progress"))
      kept.push_back(std::move(line));
  return kept;
}

told_history history_of(const std::string& file) {
  told_history all;
  std::vector<std::string> events;
  for (const auto& text : unit_lines(file)) {
    const auto line = nlohmann::json::parse(text);
    const auto kind = line.at("kind").get<std::string>();
    if (kind == "message" && !line.at("transactional").get<bool>())
      all.push_back({.events = {event_of(line)}});
    else if (kind == "change" || kind == "message")
      events.push_back(event_of(line));
    else if (kind == "commit" && !events.empty())
      all.push_back({line.at("xid").get<std::uint32_t>(), std::exchange(events, {})});
  }
  return all;
}

told_history without_messages(const told_history& all) {
  told_history rest;
  for (auto unit : all) {
    std::erase_if(unit.events, [](const auto& one) { return one.starts_with("message "); });
    if (!unit.events.empty())
      rest.push_back(std::move(unit));
  }
  return rest;
}

std::string difference(const told_history& right, const told_history& told) {
  const auto [one, other] = std::ranges::mismatch(right, told);
  if (one == right.end() && other == told.end())
    return {};
  const auto place = "unit " + std::to_string(one - right.begin());
  if (one == right.end())
    return place + " is one too many: " + to_text(*other);
  if (other == told.end())
    return place + " is missing: " + to_text(*one);
  const auto [first, second] = std::ranges::mismatch(one->events, other->events);
  return place + " differs from event " + std::to_string(first - one->events.begin()) +
         ", right is " + to_text(*one) + "; told was " + to_text(*other);
}

} // namespace replicant::test
