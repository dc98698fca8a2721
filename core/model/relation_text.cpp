// SPDX-License-Identifier: MIT
#include "replicant/core/model/relation_text.hpp"

#include <charconv>
#include <utility>

namespace replicant {

namespace {

// Names may hold any character, so each stands behind its length: "5:notes".

void append_name(std::string& out, std::string_view name) {
  out.append(std::to_string(name.size())).append(":").append(name);
}

class text_reader {
public:
  explicit text_reader(std::string_view text) : rest_{text} {}

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  template <class Integer>
  [[nodiscard]] bool number(Integer& into, char end) {
    const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), into);
    const auto length = static_cast<std::size_t>(stop - rest_.data());
    if (error != std::errc{} || length == rest_.size() || *stop != end)
      return false;
    rest_.remove_prefix(length + 1);
    return true;
  }

  [[nodiscard]] bool name(std::string& into) {
    std::size_t length = 0;
    if (!number(length, ':') || length > rest_.size())
      return false;
    into = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return true;
  }

  [[nodiscard]] std::optional<char> letter() {
    if (rest_.empty())
      return std::nullopt;
    const auto first = rest_.front();
    rest_.remove_prefix(1);
    return first;
  }

private:
  std::string_view rest_;
};

bool read_identity(text_reader& from, replica_identity& into) {
  const auto letter = from.letter();
  if (!letter || std::string_view{"dnfi"}.find(*letter) == std::string_view::npos)
    return false;
  into = static_cast<replica_identity>(*letter);
  return true;
}

bool read_column(text_reader& from, column& into) {
  if (!from.name(into.name) || !from.number(into.type, ' ') ||
      !from.number(into.type_modifier, ' '))
    return false;
  const auto mark = from.letter();
  into.key = mark == 'k';
  return into.key || mark == '-';
}

} // namespace

std::string to_text(const relation& shape) {
  std::string out{static_cast<char>(shape.identity)};
  append_name(out, shape.schema);
  append_name(out, shape.name);
  for (const auto& one : shape.columns) {
    append_name(out, one.name);
    out.append(std::to_string(one.type)).append(" ");
    out.append(std::to_string(one.type_modifier)).append(" ").append(one.key ? "k" : "-");
  }
  return out;
}

std::optional<relation> read_relation(std::string_view text) {
  text_reader from{text};
  relation shape;
  if (!read_identity(from, shape.identity) || !from.name(shape.schema) || !from.name(shape.name))
    return std::nullopt;
  while (!from.at_end())
    if (!read_column(from, shape.columns.emplace_back()))
      return std::nullopt;
  return shape;
}

} // namespace replicant
