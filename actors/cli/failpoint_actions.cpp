// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/failpoint_actions.hpp"

#include "replicant/core/model/number_text.hpp"

#ifdef REPLICANT_FAILPOINTS

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace replicant::cli {

namespace {

template <class Number>
bool read_number(std::string_view text, Number& into) {
  const auto found = parse_number<Number>(text);
  into = found.value_or(0);
  return into > 0;
}

std::optional<failpoint> point_named(std::string_view name) {
  for (std::uint8_t i = 0; i < failpoint_count; ++i)
    if (to_string(static_cast<failpoint>(i)) == name)
      return static_cast<failpoint>(i);
  return std::nullopt;
}

/// Cuts "@N" off the end of `text`.
bool take_pass(std::string_view& text, std::uint64_t& into) {
  const auto mark = text.rfind('@');
  if (mark == std::string_view::npos)
    return true;
  const auto understood = read_number(text.substr(mark + 1), into);
  text = text.substr(0, mark);
  return understood;
}

std::optional<failpoint_action> parse_one(std::string_view text) {
  using kind = failpoint_action::kind;
  constexpr std::string_view block = "block:";
  constexpr std::string_view error = "error:";
  const auto equals = text.find('=');
  const auto point = point_named(text.substr(0, equals));
  if (!point || equals == std::string_view::npos)
    return std::nullopt;
  failpoint_action action{.point = *point};
  auto wish = text.substr(equals + 1);
  if (wish.starts_with(block)) {
    action.what = kind::block;
    action.file = wish.substr(block.size());
    return action.file.empty() ? std::nullopt : std::optional{action};
  }
  if (!take_pass(wish, action.at_pass))
    return std::nullopt;
  if (wish == "kill")
    return action;
  action.what = kind::error;
  if (!wish.starts_with(error) || !read_number(wish.substr(error.size()), action.error_number))
    return std::nullopt;
  return action;
}

// The hook is a plain function that any thread may call, so what it needs has to be here; written
// once before the hook is installed.
std::vector<failpoint_action> actions;
std::array<std::atomic<std::uint64_t>, failpoint_count> passes{};

int act(failpoint point) {
  using namespace std::chrono_literals;
  const auto pass = passes.at(static_cast<std::size_t>(point)).fetch_add(1) + 1;
  for (const auto& one : actions) {
    if (one.point != point || (one.at_pass != 0 && one.at_pass != pass))
      continue;
    switch (one.what) {
      case failpoint_action::kind::kill: std::raise(SIGKILL); break;
      case failpoint_action::kind::block:
        // The mark says that something is held up, so only a pass that really waits may leave it.
        if (std::filesystem::exists(one.file))
          std::ofstream{one.file + ".reached"};
        while (std::filesystem::exists(one.file))
          std::this_thread::sleep_for(10ms);
        break;
      case failpoint_action::kind::error: return one.error_number;
    }
  }
  return 0;
}

} // namespace

std::optional<std::vector<failpoint_action>> parse_failpoints(std::string_view text) {
  std::vector<failpoint_action> parsed;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const auto one = parse_one(text.substr(0, end));
    if (!one)
      return std::nullopt;
    parsed.push_back(*one);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parsed;
}

bool install_failpoints() {
  const auto* text = std::getenv("REPLICANT_FAILPOINT");
  if (text == nullptr)
    return true;
  auto parsed = parse_failpoints(text);
  if (!parsed)
    return false;
  actions = std::move(*parsed);
  set_failpoint_hook(act);
  return true;
}

} // namespace replicant::cli

#endif
