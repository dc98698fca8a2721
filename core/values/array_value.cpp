// SPDX-License-Identifier: MIT
#include "replicant/core/values/array_literal.hpp"
#include "replicant/core/values/binary_frame.hpp"
#include "replicant/core/values/text_cursor.hpp"
#include "replicant/core/values/unescaped_text.hpp"
#include "replicant/core/values/value.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace replicant {

/// Builds an array from one of its forms.
class array_reader {
public:
  explicit array_reader(const type_shape& type) : type_{type} {}

  [[nodiscard]] std::optional<array_value> read(byte_reader in);
  [[nodiscard]] std::optional<array_value> read(std::string_view text);

private:
  [[nodiscard]] bool read_bounds(std::string_view& text);
  [[nodiscard]] bool read_elements(array_literal& literal);
  [[nodiscard]] bool close(std::size_t depth);

  void add(cell_kind kind, std::string_view bytes) {
    found_.elements_.emplace_back(cell{kind, bytes}, *type_.element);
  }

  const type_shape& type_;
  array_value found_;
  std::string element_;                                 ///< Memory of the literal's reader.
  unescaped_text unescaped_;                            ///< Of all elements.
  std::array<std::uint32_t, most_dimensions> counts_{}; ///< So far, at each depth.
  std::array<std::optional<std::uint32_t>, most_dimensions> sizes_{};
};

namespace {

/// An integer with a sign.
std::int64_t read_index(text_cursor& in) {
  const auto negative = in.take("-");
  const auto size = static_cast<std::int64_t>(in.number(1, 10));
  return negative ? -size : size;
}

} // namespace

std::optional<array_value> array_reader::read(byte_reader in) {
  const array_frame frame{in};
  if (in.failed())
    return std::nullopt;
  if (frame.elements() != 0)
    for (const auto& one : frame.dimensions())
      found_.dimensions_.push_back({.size = one.size, .first = one.first});
  found_.elements_.reserve(frame.elements());
  for (std::size_t index = 0; index < frame.elements() && !in.failed(); ++index) {
    const auto length = in.i32();
    if (length == null_length)
      add(cell_kind::null, {});
    else
      // A negative length becomes one that does not fit.
      add(cell_kind::binary, in.bytes(static_cast<std::size_t>(length)));
  }
  return in.finished() ? std::optional{std::move(found_)} : std::nullopt;
}

std::optional<array_value> array_reader::read(std::string_view text) {
  if (!read_bounds(text))
    return std::nullopt;
  unescaped_ = unescaped_text{text.size()};
  array_literal literal{text, type_.delimiter, element_};
  const auto told = std::move(found_.dimensions_);
  found_.dimensions_.clear();
  if (!read_elements(literal))
    return std::nullopt;
  for (const auto& size : sizes_)
    if (size.value_or(0) != 0)
      found_.dimensions_.push_back({.size = *size});
  if (!told.empty()) {
    const auto same_size = [](const auto& a, const auto& b) { return a.size == b.size; };
    if (!std::ranges::equal(told, found_.dimensions_, same_size))
      return std::nullopt;
    found_.dimensions_ = told;
  }
  found_.unescaped_ = unescaped_.release();
  return std::move(found_);
}

/// Takes "[2:3][0:1]=" from the front of `text`, which stands there unless all begin with 1.
bool array_reader::read_bounds(std::string_view& text) {
  if (!text.starts_with('['))
    return true;
  text_cursor in{text};
  while (in.take("[")) {
    const auto first = read_index(in);
    in.expect(':');
    const auto size = read_index(in) - first + 1;
    in.expect(']');
    if (in.failed() || first != static_cast<std::int32_t>(first) || size < 1 ||
        size > std::numeric_limits<std::int32_t>::max() ||
        found_.dimensions_.size() == most_dimensions)
      return false;
    found_.dimensions_.push_back(
      {.size = static_cast<std::uint32_t>(size), .first = static_cast<std::int32_t>(first)});
  }
  in.expect('=');
  text.remove_prefix(text.size() - in.left());
  return !in.failed();
}

bool array_reader::read_elements(array_literal& literal) {
  for (std::size_t depth = 0;;) {
    const auto token = literal.next();
    switch (token) {
      case array_token::open:
        if (depth != 0)
          ++counts_.at(depth - 1);
        counts_.at(depth++) = 0;
        break;
      case array_token::close:
        if (!close(--depth))
          return false;
        break;
      case array_token::null:
        ++counts_.at(depth - 1);
        add(cell_kind::null, {});
        break;
      case array_token::value:
        ++counts_.at(depth - 1);
        // The literal's reader uses its memory again for the next element.
        add(cell_kind::text, literal.value().data() == element_.data()
                               ? unescaped_.keep(literal.value())
                               : literal.value());
        break;
      case array_token::end: return true;
      case array_token::malformed: return false;
    }
  }
}

/// All slices along a dimension have the same size.
bool array_reader::close(std::size_t depth) {
  auto& size = sizes_.at(depth);
  if (!size)
    size = counts_.at(depth);
  return size == counts_.at(depth);
}

std::optional<array_value> value::as_array() const {
  if (type_->kind != type_kind::array)
    return std::nullopt;
  switch (content_.kind) {
    case cell_kind::text: return array_reader{*type_}.read(content_.bytes);
    case cell_kind::binary: return array_reader{*type_}.read(byte_reader{content_.bytes});
    case cell_kind::null:
    case cell_kind::unchanged: break;
  }
  return std::nullopt;
}

} // namespace replicant
