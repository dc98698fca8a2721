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

node convert(const toml::node& from);

node_table convert(const toml::table& from) {
  node_table table;
  for (const auto& [key, value] : from)
    table.push_back(
      {.key = std::string{key.str()}, .at = place(key.source().begin), .value = convert(value)});
  return table;
}

node convert(const toml::node& from) {
  node value{.at = place(from.source().begin), .content = unused_value{}};
  if (const auto* text = from.as_string())
    value.content = text->get();
  else if (const auto* number = from.as_integer())
    value.content = number->get();
  else if (const auto* flag = from.as_boolean())
    value.content = flag->get();
  else if (const auto* table = from.as_table())
    value.content = convert(*table);
  else if (const auto* array = from.as_array()) {
    node_list list;
    for (const auto& element : *array)
      list.push_back(convert(element));
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
                     const conninfo_check& accepts) {
  try {
    const auto parsed = toml::parse(text);
    return interpret(convert(parsed), lookup, accepts);
  } catch (const toml::parse_error& error) {
    // Its description can quote the document, so only the place is taken from it.
    return refuse(place(error.source().begin),
                  "this is not TOML; check the quotes, the brackets and the \"=\" here and just "
                  "before, and that no key or table is written twice");
  }
}

loaded_settings load_file(const std::string& path, const environment& lookup,
                          const conninfo_check& accepts) {
  const file_handle file{std::fopen(path.c_str(), "rb")};
  std::string text(max_file_size + 1, '\0');
  if (file != nullptr)
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (file == nullptr || std::ferror(file.get()) != 0)
    return refuse({}, "the file cannot be read: " + std::generic_category().message(errno) +
                        "; check its name and its permissions");
  if (text.size() > max_file_size)
    return refuse({}, "the file is larger than 1 MiB; this cannot be a configuration");
  return load(text, lookup, accepts);
}

} // namespace replicant
