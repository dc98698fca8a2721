// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_frame.hpp"
#include "replicant/core/values/unescaped_text.hpp"
#include "replicant/core/values/value.hpp"

namespace replicant {

/// Builds a range from one of its forms.
class range_reader {
public:
  explicit range_reader(const type_shape& type) : type_{type} {}

  [[nodiscard]] std::optional<range_value> read(byte_reader in);
  [[nodiscard]] std::optional<range_value> read(std::string_view text);

private:
  [[nodiscard]] range_bound bound(cell_kind kind, std::string_view bytes, bool inclusive) const {
    return {.at = value{{kind, bytes}, *type_.element}, .inclusive = inclusive};
  }

  [[nodiscard]] range_bound read_bound(byte_reader& in, bool inclusive) const {
    // A negative length becomes one that does not fit.
    return bound(cell_kind::binary, in.bytes(static_cast<std::size_t>(in.i32())), inclusive);
  }

  [[nodiscard]] std::optional<std::string_view> take_quoted();
  [[nodiscard]] bool take_bound(std::optional<range_bound>& found, bool inclusive,
                                std::string_view ends);

  const type_shape& type_;
  range_value found_;
  std::string_view rest_;
  unescaped_text unescaped_;
};

namespace {

/// The length of the range that `text` begins with; npos when there is none or it does not end.
std::size_t range_length(std::string_view text) {
  if (text.front() != '[' && text.front() != '(')
    return std::string_view::npos;
  auto quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = text[at];
    if (c == '\\')
      ++at;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == ')' || c == ']'))
      return at + 1;
  }
  return std::string_view::npos;
}

/// The texts of the ranges in a multirange's.
std::optional<std::vector<value>> read_ranges(std::string_view text, const type_shape& range) {
  if (text.size() < 2 || text.front() != '{' || text.back() != '}')
    return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<value> found;
  while (!text.empty()) {
    const auto length = range_length(text);
    if (length == std::string_view::npos)
      return std::nullopt;
    found.emplace_back(cell{cell_kind::text, text.substr(0, length)}, range);
    text.remove_prefix(length);
    if (text.empty())
      break;
    // Another one follows behind a comma.
    if (text.front() != ',' || text.size() == 1)
      return std::nullopt;
    text.remove_prefix(1);
  }
  return found;
}

std::optional<std::vector<value>> read_ranges(byte_reader in, const type_shape& range) {
  const std::size_t count = in.u32();
  if (count > in.left() / sizeof null_length)
    return std::nullopt;
  std::vector<value> found;
  found.reserve(count);
  for (std::size_t index = 0; index < count && !in.failed(); ++index) {
    const auto length = static_cast<std::size_t>(in.i32());
    found.emplace_back(cell{cell_kind::binary, in.bytes(length)}, range);
  }
  return in.finished() ? std::optional{std::move(found)} : std::nullopt;
}

} // namespace

std::optional<range_value> range_reader::read(byte_reader in) {
  const range_frame frame{in};
  found_.empty_ = frame.has(range_flag::empty);
  if (!found_.empty_) {
    if (!frame.has(range_flag::lower_infinite))
      found_.lower_ = read_bound(in, frame.has(range_flag::lower_inclusive));
    if (!frame.has(range_flag::upper_infinite))
      found_.upper_ = read_bound(in, frame.has(range_flag::upper_inclusive));
  }
  return in.finished() ? std::optional{std::move(found_)} : std::nullopt;
}

std::optional<range_value> range_reader::read(std::string_view text) {
  if (text == "empty") {
    found_.empty_ = true;
    return std::move(found_);
  }
  if (text.size() < 3 || (text.front() != '[' && text.front() != '('))
    return std::nullopt;
  unescaped_ = unescaped_text{text.size()};
  rest_ = text.substr(1);
  if (!take_bound(found_.lower_, text.front() == '[', ","))
    return std::nullopt;
  if (!take_bound(found_.upper_, text.back() == ']', ")]") || !rest_.empty())
    return std::nullopt;
  found_.unescaped_ = unescaped_.release();
  return std::move(found_);
}

/// Takes a bound and the character behind it, which is one of `ends`. Nothing stands where there is
/// no bound.
bool range_reader::take_bound(std::optional<range_bound>& found, bool inclusive,
                              std::string_view ends) {
  std::optional<std::string_view> content;
  if (rest_.starts_with('"')) {
    content = take_quoted();
    if (!content)
      return false;
  } else {
    const auto length = rest_.find_first_of("\"\\()[],");
    if (length == std::string_view::npos)
      return false;
    if (length != 0)
      content = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }
  if (rest_.empty() || ends.find(rest_.front()) == std::string_view::npos)
    return false;
  rest_.remove_prefix(1);
  if (content)
    found = bound(cell_kind::text, *content, inclusive);
  return true;
}

/// Takes a bound in quotes, in which quotes and backslashes are doubled.
std::optional<std::string_view> range_reader::take_quoted() {
  rest_.remove_prefix(1);
  for (auto escapes = false;; escapes = true) {
    const auto length = rest_.find_first_of("\"\\");
    if (length == std::string_view::npos)
      return std::nullopt;
    const auto part = rest_.substr(0, length);
    const auto doubled = length + 1 < rest_.size() && rest_[length + 1] == rest_[length];
    if (!doubled && rest_[length] == '\\')
      return std::nullopt;
    if (doubled)
      unescaped_.append(rest_.substr(0, length + 1));
    else if (escapes)
      unescaped_.append(part);
    rest_.remove_prefix(length + (doubled ? 2 : 1));
    if (!doubled)
      return escapes ? unescaped_.take() : part;
  }
}

std::optional<range_value> value::as_range() const {
  if (type_->kind != type_kind::range)
    return std::nullopt;
  switch (content_.kind) {
    case cell_kind::text: return range_reader{*type_}.read(content_.bytes);
    case cell_kind::binary: return range_reader{*type_}.read(byte_reader{content_.bytes});
    case cell_kind::null:
    case cell_kind::unchanged: break;
  }
  return std::nullopt;
}

std::optional<std::vector<value>> value::as_multirange() const {
  if (type_->kind != type_kind::multirange)
    return std::nullopt;
  switch (content_.kind) {
    case cell_kind::text: return read_ranges(content_.bytes, *type_->element);
    case cell_kind::binary: return read_ranges(byte_reader{content_.bytes}, *type_->element);
    case cell_kind::null:
    case cell_kind::unchanged: break;
  }
  return std::nullopt;
}

} // namespace replicant
