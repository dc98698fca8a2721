// SPDX-License-Identifier: MIT
#include "replicant/config/conninfo.hpp"

#include "replicant/core/values/digits.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace replicant {

namespace {

using expansion = tl::expected<std::string, conninfo_mistake>;
using escape = void (*)(std::string& into, std::string_view text);

struct parameter {
  std::string_view keyword;
  std::string value; ///< With its quotes and backslashes undone.
};

constexpr std::array<std::string_view, 2> uri_schemes{"postgresql://", "postgres://"};

constexpr std::string_view not_a_value =
  "has a variable outside of a value; a variable can only fill a value, never name a keyword; "
  "write for example \"host=db1 password=${PGPASS}\"";

constexpr std::string_view not_a_list =
  "is no connection string; libpq reads a list of keyword=value, or a URI that begins with "
  "postgresql://; write for example \"host=db1 dbname=shop user=cdc\"";

tl::unexpected<conninfo_mistake> refuse(std::string_view text,
                                        std::optional<std::size_t> variable = {}) {
  return tl::unexpected<conninfo_mistake>{{.text = std::string{text}, .variable = variable}};
}

/// How many "${" there are.
std::size_t count_variables(std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2))
    ++count;
  return count;
}

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && (name.front() < '0' || name.front() > '9') &&
         std::ranges::all_of(name, [](char c) { return is_alphanumeric(c) || c == '_'; });
}

void append_as_is(std::string& into, std::string_view text) {
  into.append(text);
}

void append_percent_encoded(std::string& into, std::string_view text) {
  for (const char c : text)
    if (is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~')
      into.push_back(c);
    else
      append_hex(into.append(1, '%'), static_cast<unsigned char>(c), 2, letter_case::upper);
}

/// Replaces the variables of one value; what they hold goes through `put`. `before` of them stand
/// in front of it.
expansion expand_value(std::string_view text, const environment& lookup, escape put,
                       std::size_t before = 0) {
  std::string value;
  for (auto variable = before;; ++variable) {
    const auto mark = text.find("${");
    if (mark == std::string_view::npos)
      return value.append(text);
    if (mark > 0 && text[mark - 1] == '$') {
      value.append(text.substr(0, mark - 1)).append("${");
      text.remove_prefix(mark + 2);
      continue;
    }
    const auto end = text.find('}', mark);
    const auto name = text.substr(mark + 2, end - std::min(end, mark + 2));
    if (end == std::string_view::npos || !is_variable_name(name))
      return refuse("has a \"${\" without the name of a variable; a name is letters, digits and "
                    "\"_\", closed by \"}\"; write \"$${\" where \"${\" itself is meant",
                    variable);
    const auto found = lookup(std::string{name});
    if (!found)
      return refuse(
        "needs an environment variable that is not set; set it where the program is started",
        variable);
    value.append(text.substr(0, mark));
    put(value, *found);
    text.remove_prefix(end + 1);
  }
}

/// Takes one value off `text`, as libpq does: quoted, or up to the next blank.
std::optional<std::string> take_value(std::string_view& text) {
  std::string value;
  const bool quoted = text.starts_with('\'');
  std::size_t i = quoted ? 1 : 0;
  for (; i < text.size(); ++i) {
    if (quoted ? text[i] == '\'' : is_blank(text[i]))
      break;
    if (text[i] == '\\' && ++i == text.size())
      break;
    value.push_back(text[i]);
  }
  if (quoted && i >= text.size())
    return std::nullopt;
  text.remove_prefix(std::min(text.size(), quoted ? i + 1 : i));
  return value;
}

void skip_blanks(std::string_view& text) {
  text.remove_prefix(
    static_cast<std::size_t>(std::ranges::find_if_not(text, is_blank) - text.begin()));
}

/// Takes a keyword string apart by libpq's grammar; nothing when it has another form.
std::optional<std::vector<parameter>> take_apart(std::string_view text) {
  std::vector<parameter> parameters;
  for (skip_blanks(text); !text.empty(); skip_blanks(text)) {
    const auto end = std::ranges::find_if(text, [](char c) { return c == '=' || is_blank(c); });
    const auto keyword = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(keyword.size());
    skip_blanks(text);
    if (keyword.empty() || !text.starts_with('='))
      return std::nullopt;
    text.remove_prefix(1);
    skip_blanks(text);
    auto value = take_value(text);
    if (!value)
      return std::nullopt;
    parameters.push_back({keyword, std::move(*value)});
  }
  return parameters;
}

void append_quoted(std::string& into, std::string_view text) {
  into.push_back('\'');
  for (const char c : text) {
    if (c == '\'' || c == '\\')
      into.push_back('\\');
    into.push_back(c);
  }
  into.push_back('\'');
}

expansion expand_keywords(std::string_view text, const environment& lookup) {
  const auto parameters = take_apart(text);
  if (!parameters)
    return refuse(text.find("${") == std::string_view::npos ? not_a_list : not_a_value);
  std::string whole;
  std::size_t variables = 0;
  for (const auto& one : *parameters) {
    if (one.keyword.find("${") != std::string_view::npos)
      return refuse(not_a_value, variables);
    const auto value = expand_value(one.value, lookup, append_as_is, variables);
    if (!value)
      return value;
    variables += count_variables(one.value);
    whole.append(whole.empty() ? "" : " ").append(one.keyword).append("=");
    append_quoted(whole, *value);
  }
  return whole;
}

struct uri_parts {
  std::string_view hosts; ///< With their ports, without the user.
  std::string_view query; ///< Begins with its "?", or is empty.
};

/// Takes a URI apart as libpq does: a "?" before the "@" still belongs to the password.
uri_parts split_uri(std::string_view uri) {
  auto rest = uri.substr(uri.find("://") + 3);
  if (const auto mark = rest.find_first_of("@/");
      mark != std::string_view::npos && rest[mark] == '@')
    rest.remove_prefix(mark + 1);
  const auto query = std::min(rest.find('?'), rest.size());
  return {.hosts = rest.substr(0, std::min(rest.find('/'), query)), .query = rest.substr(query)};
}

/// The keywords behind a URI's "?".
std::vector<std::string_view> query_keywords(std::string_view uri) {
  std::vector<std::string_view> keywords;
  for (auto rest = split_uri(uri).query; !rest.empty();) {
    rest.remove_prefix(1);
    const auto one = rest.substr(0, rest.find('&'));
    keywords.push_back(one.substr(0, one.find('=')));
    rest.remove_prefix(one.size());
  }
  return keywords;
}

expansion expand_uri(std::string_view uri, const environment& lookup) {
  for (const auto keyword : query_keywords(uri))
    if (keyword.find("${") != std::string_view::npos)
      return refuse(not_a_value, count_variables(uri.substr(
                                   0, static_cast<std::size_t>(keyword.data() - uri.data()))));
  return expand_value(uri, lookup, append_percent_encoded);
}

bool is_uri(std::string_view text) {
  return std::ranges::any_of(uri_schemes, [text](auto scheme) { return text.starts_with(scheme); });
}

} // namespace

tl::expected<std::string, conninfo_mistake> expand_conninfo(std::string_view text,
                                                            const environment& lookup) {
  return is_uri(text) ? expand_uri(text, lookup) : expand_keywords(text, lookup);
}

std::vector<std::string> keywords_of(std::string_view conninfo) {
  std::vector<std::string> keywords;
  if (is_uri(conninfo)) {
    for (const auto one : query_keywords(conninfo))
      keywords.emplace_back(one);
    return keywords;
  }
  for (const auto& one : take_apart(conninfo).value_or(std::vector<parameter>{}))
    keywords.emplace_back(one.keyword);
  return keywords;
}

std::string server_of(std::string_view conninfo) {
  if (is_uri(conninfo)) {
    const auto [hosts, query] = split_uri(conninfo);
    return std::string{hosts}.append(query);
  }
  std::string server;
  const auto parameters = take_apart(conninfo).value_or(std::vector<parameter>{});
  for (const std::string_view wanted : {"host", "hostaddr", "port", "service"})
    for (const auto& one : parameters)
      if (one.keyword == wanted)
        server.append(wanted).append("=").append(one.value).append("\n");
  return server;
}

} // namespace replicant
