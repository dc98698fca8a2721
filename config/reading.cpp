// SPDX-License-Identifier: MIT
#include "replicant/config/reading.hpp"

#include "replicant/config/foreign_keys.hpp"

#include <algorithm>
#include <numeric>

namespace replicant {

namespace {

/// How many single-character edits lie between two names.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j - 1] + 1, row[j] + 1, replaced});
    }
  }
  return row.back();
}

/// How unlike two keys are; a key cut short is only a little unlike the whole.
std::size_t difference(std::string_view unknown, std::string_view known) {
  constexpr std::size_t least_part = 4;
  constexpr std::size_t longest_compared = 64;
  if (unknown.size() >= least_part && known.find(unknown) != std::string_view::npos)
    return 2;
  return edit_distance(unknown.substr(0, longest_compared), known);
}

} // namespace

std::optional<location> reading::place_of(std::string_view key) const {
  const auto found = places_.find(std::string{key});
  return found == places_.end() ? std::nullopt : std::optional{found->second};
}

void reading::forget_places_below(std::string_view path) {
  std::erase_if(places_, [path](const auto& place) { return place.first.starts_with(path); });
}

void reading::refuse(location at, std::string_view key, std::string_view text) {
  problems_.push_back({.at = at, .text = std::string{key}.append(" ").append(text)});
}

void reading::refuse_type(const node& value, std::string_view key, std::string_view takes) {
  refuse(value.at, key,
         std::string{"has the wrong type; "}
           .append(describe(value))
           .append(" stands here; write ")
           .append(takes));
}

diagnostics reading::problems() const {
  auto sorted = problems_;
  std::ranges::stable_sort(sorted, {}, &diagnostic::at);
  return sorted;
}

std::string full_name(std::string_view path, std::string_view name) {
  std::string whole{path};
  return whole.append(path.empty() ? "" : ".").append(name);
}

namespace {

/// The nearest key, or all that there are.
std::string suggest(std::string_view unknown, const std::vector<std::string_view>& known) {
  const auto* best = static_cast<const std::string_view*>(nullptr);
  std::size_t least = std::max<std::size_t>(unknown.size() / 2, 2) + 1;
  for (const auto& name : known)
    if (const auto distance = difference(unknown, name); distance < least) {
      least = distance;
      best = &name;
    }
  std::string text = "has no such key; ";
  if (best != nullptr)
    return text.append("write \"").append(*best).append("\" if that is meant, or remove the key");
  text.append("the keys here are ");
  for (const auto& name : known)
    text.append(&name == &known.front() ? "" : ", ").append(name);
  return text;
}

} // namespace

void refuse_unknown(const entry& given, std::string_view path,
                    const std::vector<std::string_view>& known, reading& log) {
  if (const auto told = explain_foreign_key(path, given.key))
    log.refuse(given.at, full_name(path, given.key), *told);
  else
    log.refuse(given.at, path.empty() ? "the file" : path, suggest(given.key, known));
}

} // namespace replicant
