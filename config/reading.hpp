// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/document.hpp"
#include "replicant/config/load.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// What is collected while a file is read: the problems, and where each key was found.
class reading {
public:
  /// Both have to outlive it.
  reading(const environment& lookup, const conninfo_check& judge)
    : lookup_{lookup}, judge_{judge} {}

  [[nodiscard]] const environment& lookup() const { return lookup_; }

  [[nodiscard]] complaint judge_conninfo(const std::string& conninfo) const {
    return judge_ ? judge_(conninfo) : std::nullopt;
  }

  /// Notes that the value of `key` stands at `at`.
  void found(std::string_view key, location at) { places_.insert_or_assign(std::string{key}, at); }

  /// Where the value of `key` stands; nothing when it was not given.
  [[nodiscard]] std::optional<location> place_of(std::string_view key) const;

  /// Notes a problem of `key`: its name, then `text`.
  void refuse(location at, std::string_view key, std::string_view text);

  /// Notes that `value` is not what `key` takes. `takes` completes "this key takes ...".
  void refuse_type(const node& value, std::string_view key, std::string_view takes);

  /// Forgets the places of keys that begin so, for the next table of the same kind.
  void forget_places_below(std::string_view path);

  /// The problems in the order of the file.
  [[nodiscard]] diagnostics problems() const;

private:
  const environment& lookup_;
  const conninfo_check& judge_;
  std::map<std::string, location> places_;
  diagnostics problems_;
};

enum class presence : std::uint8_t {
  optional,
  required,
};

/// One key: its name, whether it may be absent, and how its value is checked and stored.
template <class Target>
struct key {
  std::string_view name;
  presence needed = presence::optional;
  /// `path` is the key's full name.
  void (*read)(Target& into, const node& value, std::string_view path, reading& log);
  std::string_view example{}; ///< Of a required key: how it may be written.
};

/// The keys of one table of the file.
template <class Target>
struct section {
  std::string_view path; ///< "pipeline.sink"; empty for the file itself.
  std::span<const key<Target>> keys;
  std::string_view form{}; ///< How such a table is written, for who wrote something else.
};

/// Checked by whoever had to read it first.
template <class Target>
void settled(Target& /*into*/, const node& /*value*/, std::string_view /*path*/, reading& /*log*/) {
}

/// "path.name", or "name" at the top.
[[nodiscard]] std::string full_name(std::string_view path, std::string_view name);

/// Notes a key of the table `path` that is not among `known`: that it is a key of something else
/// (see foreign_keys.hpp), else the nearest one, or all of them.
void refuse_unknown(const entry& given, std::string_view path,
                    const std::vector<std::string_view>& known, reading& log);

/// Adds the full names of a table's keys.
template <class Target>
void append_names(std::vector<std::string>& to, const section<Target>& of) {
  for (const auto& one : of.keys)
    to.push_back(full_name(of.path, one.name));
}

/// Reads one table: every key of `what` that is there, and a problem for each that is missing or
/// unknown.
template <class Target>
void read_section(Target& into, const node_table& table, location at, const section<Target>& what,
                  reading& log) {
  std::vector<std::string_view> known;
  for (const auto& one : what.keys) {
    known.push_back(one.name);
    const auto name = full_name(what.path, one.name);
    const auto* given = find(table, one.name);
    if (given != nullptr) {
      log.found(name, given->value.at);
      one.read(into, given->value, name, log);
    } else if (one.needed == presence::required) {
      log.refuse(
        at, name,
        std::string{"is missing, and nothing can stand in for it; write for example "}.append(
          one.example));
    }
  }
  for (const auto& given : table)
    if (std::ranges::find(known, given.key) == known.end())
      refuse_unknown(given, what.path, known, log);
}

/// As `read_section`, of a value that has to be a table.
template <class Target>
void read_table(Target& into, const node& value, const section<Target>& what, reading& log) {
  if (const auto* table = std::get_if<node_table>(&value.content))
    read_section(into, *table, value.at, what, log);
  else
    log.refuse_type(value, what.path, what.form);
}

} // namespace replicant
