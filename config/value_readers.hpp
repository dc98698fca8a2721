// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/reading.hpp"
#include "replicant/config/validate.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The ways in which a key's value is read, each instantiated with the member that it fills. They
/// are the `read` of the rows in the table of keys.
namespace replicant {

using text_check = complaint (*)(std::string_view text);

/// The text of a string node that passes `check`; otherwise nullptr and a problem noted.
[[nodiscard]] const std::string* read_text(const node& value, std::string_view path,
                                           text_check check, reading& log);

/// An integer from `least` to `most`; otherwise nothing and a problem noted.
[[nodiscard]] std::optional<std::int64_t> read_number(const node& value, std::string_view path,
                                                      std::int64_t least, std::int64_t most,
                                                      reading& log);

/// A size in bytes from 1 byte to 1 TiB; otherwise nothing and a problem noted.
[[nodiscard]] std::optional<std::uint64_t> read_size(const node& value, std::string_view path,
                                                     reading& log);

/// A time span from 1 ms to a year; otherwise nothing and a problem noted.
[[nodiscard]] std::optional<std::chrono::milliseconds>
read_duration(const node& value, std::string_view path, reading& log);

/// A string or a list of at least one string, none twice, each passing `check`.
[[nodiscard]] std::vector<std::string> read_texts(const node& value, std::string_view path,
                                                  text_check check, reading& log);

/// A connection string with its variables filled in, that libpq takes; otherwise nothing and a
/// problem noted.
[[nodiscard]] std::optional<std::string> read_conninfo(const node& value, std::string_view path,
                                                       reading& log);

/// The index of a string among `spellings`; otherwise nothing and a problem noted.
[[nodiscard]] std::optional<std::size_t> read_choice(const node& value, std::string_view path,
                                                     std::span<const std::string_view> spellings,
                                                     reading& log);

/// A string.
template <auto Member, text_check Check, class Target>
void text(Target& into, const node& value, std::string_view path, reading& log) {
  if (const auto* given = read_text(value, path, Check, log))
    into.*Member = *given;
}

/// A connection string.
template <auto Member, class Target>
void conninfo(Target& into, const node& value, std::string_view path, reading& log) {
  if (auto given = read_conninfo(value, path, log))
    into.*Member = std::move(*given);
}

/// A string or a list of strings.
template <auto Member, text_check Check, class Target>
void texts(Target& into, const node& value, std::string_view path, reading& log) {
  into.*Member = read_texts(value, path, Check, log);
}

/// True or false.
template <auto Member, class Target>
void flag(Target& into, const node& value, std::string_view path, reading& log) {
  if (const auto* given = std::get_if<bool>(&value.content))
    into.*Member = *given;
  else
    log.refuse_type(value, path, "true or false, without quotes");
}

/// An integer.
template <auto Member, std::int64_t Least, std::int64_t Most, class Target>
void number(Target& into, const node& value, std::string_view path, reading& log) {
  if (const auto given = read_number(value, path, Least, Most, log))
    into.*Member = std::remove_reference_t<decltype(into.*Member)>(*given);
}

/// A size in bytes.
template <auto Member, class Target>
void size(Target& into, const node& value, std::string_view path, reading& log) {
  if (const auto given = read_size(value, path, log))
    into.*Member = *given;
}

/// A time span.
template <auto Member, class Target>
void duration(Target& into, const node& value, std::string_view path, reading& log) {
  if (const auto given = read_duration(value, path, log))
    into.*Member = *given;
}

/// One of the spellings, in the order of the enumerators.
template <auto Member, const auto& Spellings, class Target>
void choice(Target& into, const node& value, std::string_view path, reading& log) {
  if (const auto given = read_choice(value, path, Spellings, log))
    into.*Member = static_cast<std::remove_reference_t<decltype(into.*Member)>>(*given);
}

} // namespace replicant
