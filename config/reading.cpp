// SPDX-License-Identifier: MIT
#include "replicant/config/reading.hpp"

#include "replicant/config/foreign_keys.hpp"
#include "replicant/config/nearest_name.hpp"

#include <algorithm>

namespace replicant {

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
  std::string text = "has no such key; ";
  if (const auto best = nearest_name(unknown, known))
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
