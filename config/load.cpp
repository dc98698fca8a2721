// SPDX-License-Identifier: MIT
#include "replicant/config/load.hpp"

#include "replicant/config/document.hpp"
#include "replicant/config/interpret.hpp"

#include <toml++/toml.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <system_error>

namespace replicant {

namespace {

constexpr std::size_t max_file_size = std::size_t{1} << 20U;

struct closer {
  void operator()(std::FILE* what) const { std::fclose(what); }
};

using file_handle = std::unique_ptr<std::FILE, closer>;

location place(const toml::source_position& position) {
  return {.line = static_cast<std::uint32_t>(position.line),
          .column = static_cast<std::uint32_t>(position.column)};
}

/// The columns of each "${" in the string that stands there; none when it has several lines.
std::vector<std::uint32_t> find_variables(std::string_view document,
                                          const toml::source_region& where) {
  if (where.begin.line != where.end.line)
    return {};
  for (auto line = where.begin.line; line > 1; --line)
    document.remove_prefix(document.find('\n') + 1);
  const auto line = document.substr(0, document.find('\n'));
  std::vector<std::uint32_t> columns;
  std::uint32_t column = 0;
  for (std::size_t i = 0; i < line.size() && column < where.end.column; ++i) {
    // A column is a character, and only the first byte of one counts.
    column += (static_cast<unsigned char>(line[i]) & 0xC0U) == 0x80U ? 0 : 1;
    if (column >= where.begin.column && line.substr(i).starts_with("${"))
      columns.push_back(column);
  }
  return columns;
}

node convert(const toml::node& from, std::string_view document);

node_table convert(const toml::table& from, std::string_view document) {
  node_table table;
  for (const auto& [key, value] : from)
    table.push_back({.key = std::string{key.str()},
                     .at = place(key.source().begin),
                     .value = convert(value, document)});
  return table;
}

node convert(const toml::node& from, std::string_view document) {
  node value{.at = place(from.source().begin), .content = unused_value{}};
  if (const auto* text = from.as_string()) {
    value.content = text->get();
    if (text->get().find("${") != std::string::npos)
      value.variables = find_variables(document, from.source());
  } else if (const auto* number = from.as_integer())
    value.content = number->get();
  else if (const auto* flag = from.as_boolean())
    value.content = flag->get();
  else if (const auto* table = from.as_table())
    value.content = convert(*table, document);
  else if (const auto* array = from.as_array()) {
    node_list list;
    for (const auto& element : *array)
      list.push_back(convert(element, document));
    value.content = std::move(list);
  }
  return value;
}

tl::unexpected<diagnostics> refuse(location at, std::string text) {
  return tl::unexpected<diagnostics>{diagnostics{{.at = at, .text = std::move(text)}}};
}

} // namespace

environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const auto* value = std::getenv(name.c_str());
    if (value == nullptr)
      return std::nullopt;
    return std::string{value};
  };
}

loaded_settings load(std::string_view text, const environment& lookup,
                     const conninfo_check& judge) {
  try {
    const auto parsed = toml::parse(text);
    return interpret(convert(parsed, text), lookup, judge);
  } catch (const toml::parse_error& error) {
    // Its description can quote the document, so only the place is taken from it.
    return refuse(place(error.source().begin),
                  "this is not TOML; check the quotes, the brackets and the \"=\" here and just "
                  "before, and that no key or table is written twice");
  }
}

loaded_settings load_file(const std::string& path, const environment& lookup,
                          const conninfo_check& judge) {
  const file_handle file{std::fopen(path.c_str(), "rb")};
  std::string text(max_file_size + 1, '\0');
  if (file != nullptr)
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (file == nullptr || std::ferror(file.get()) != 0)
    return refuse({}, "the file cannot be read: " + std::generic_category().message(errno) +
                        "; check its name and its permissions");
  if (text.size() > max_file_size)
    return refuse({}, "the file is larger than 1 MiB; this cannot be a configuration");
  return load(text, lookup, judge);
}

} // namespace replicant
