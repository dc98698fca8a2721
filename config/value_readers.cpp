// SPDX-License-Identifier: MIT
#include "replicant/config/value_readers.hpp"

#include "replicant/config/conninfo.hpp"

#include <algorithm>

namespace replicant {

namespace {

constexpr std::uint64_t max_size = std::uint64_t{1} << 40U;

constexpr std::string_view bad_size =
  "is no size; it takes 1 byte to 1024 GiB; write for example \"512KiB\", \"32MiB\", \"1GiB\" or "
  "a plain number of bytes";

/// Where the variable stands that is wrong; the string, when that is not known.
location place_of(const conninfo_mistake& wrong, const node& value) {
  auto at = value.at;
  if (wrong.variable && *wrong.variable < value.variables.size())
    at.column = value.variables[*wrong.variable];
  return at;
}

} // namespace

const std::string* read_text(const node& value, std::string_view path, text_check check,
                             reading& log) {
  const auto* given = std::get_if<std::string>(&value.content);
  if (given == nullptr) {
    log.refuse_type(value, path, "a string, in quotes");
    return nullptr;
  }
  if (given->find('\0') != std::string::npos) {
    log.refuse(value.at, path,
               "holds a zero byte, which nothing that takes it can hold; remove it");
    return nullptr;
  }
  if (const auto wrong = check(*given)) {
    log.refuse(value.at, path, *wrong);
    return nullptr;
  }
  return given;
}

std::optional<std::int64_t> read_number(const node& value, std::string_view path,
                                        std::int64_t least, std::int64_t most, reading& log) {
  const auto range = std::to_string(least) + " to " + std::to_string(most);
  const auto* given = std::get_if<std::int64_t>(&value.content);
  if (given == nullptr) {
    log.refuse_type(value, path, "an integer from " + range + ", without quotes");
    return std::nullopt;
  }
  if (*given < least || *given > most) {
    log.refuse(value.at, path, "is out of range; write an integer from " + range);
    return std::nullopt;
  }
  return *given;
}

std::optional<std::uint64_t> read_size(const node& value, std::string_view path, reading& log) {
  std::optional<std::uint64_t> given;
  if (const auto* text = std::get_if<std::string>(&value.content))
    given = parse_size(*text);
  else if (const auto* number = std::get_if<std::int64_t>(&value.content))
    given = *number < 0 ? 0 : static_cast<std::uint64_t>(*number);
  else {
    log.refuse_type(value, path, "a size, for example \"32MiB\"");
    return std::nullopt;
  }
  if (given && *given >= 1 && *given <= max_size)
    return given;
  log.refuse(value.at, path, bad_size);
  return std::nullopt;
}

std::optional<std::chrono::milliseconds> read_duration(const node& value, std::string_view path,
                                                       reading& log) {
  const auto* text = std::get_if<std::string>(&value.content);
  if (text == nullptr) {
    log.refuse_type(value, path, "a time span with its unit, for example \"1h\"");
    return std::nullopt;
  }
  const auto given = parse_duration(*text);
  if (given && given->count() > 0)
    return given;
  log.refuse(value.at, path,
             "is no time span; it takes a whole number and ms, s, min, h or d, up to a year; write "
             "for example \"15min\" or \"1h\"");
  return std::nullopt;
}

std::vector<std::string> read_texts(const node& value, std::string_view path, text_check check,
                                    reading& log) {
  std::vector<std::string> texts;
  const auto add = [&](const node& one) {
    const auto* given = read_text(one, path, check, log);
    if (given == nullptr)
      return;
    if (std::ranges::find(texts, *given) != texts.end())
      log.refuse(one.at, path, "names the same one twice; remove one of them");
    else
      texts.push_back(*given);
  };
  const auto* list = std::get_if<node_list>(&value.content);
  if (list == nullptr && !std::holds_alternative<std::string>(value.content))
    log.refuse_type(value, path, "a string, or a list of strings");
  else if (list == nullptr)
    add(value);
  else if (list->empty())
    log.refuse(value.at, path, "is an empty list; name at least one");
  else
    std::ranges::for_each(*list, add);
  return texts;
}

std::optional<std::string> read_conninfo(const node& value, std::string_view path, reading& log) {
  const auto* given = read_text(value, path, check_given, log);
  if (given == nullptr)
    return std::nullopt;
  auto expanded = expand_conninfo(*given, log.lookup());
  if (!expanded) {
    log.refuse(place_of(expanded.error(), value), path, expanded.error().text);
    return std::nullopt;
  }
  if (const auto wrong = log.judge_conninfo(*expanded)) {
    log.refuse(value.at, path, *wrong);
    return std::nullopt;
  }
  return std::move(*expanded);
}

std::optional<std::size_t> read_choice(const node& value, std::string_view path,
                                       std::span<const std::string_view> spellings, reading& log) {
  std::string all;
  for (const auto spelling : spellings)
    all.append(all.empty() ? "\"" : " or \"").append(spelling).append("\"");
  const auto* given = std::get_if<std::string>(&value.content);
  if (given == nullptr) {
    log.refuse_type(value, path, all);
    return std::nullopt;
  }
  const auto found = std::ranges::find(spellings, *given);
  if (found == spellings.end()) {
    log.refuse(value.at, path, "is none of its choices; write " + all);
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - spellings.begin());
}

} // namespace replicant
