// SPDX-License-Identifier: MIT
#include "replicant/core/values/array_literal.hpp"

namespace replicant {

namespace {

/// PostgreSQL's own limit (MAXDIM).
constexpr int most_dimensions = 6;

} // namespace

array_token array_literal::next() {
  if (expected_ == expected::delimiter_or_close && !rest_.empty() && rest_.front() == delimiter_) {
    rest_.remove_prefix(1);
    expected_ = expected::item;
  }
  if (rest_.empty())
    return expected_ == expected::nothing ? array_token::end : array_token::malformed;
  const auto first = rest_.front();
  switch (expected_) {
    case expected::literal: return first == '{' ? open() : array_token::malformed;
    case expected::item_or_close:
      // Only an empty array has nothing between its braces.
      return first == '}' && depth_ == 1 ? close() : item();
    case expected::item: return item();
    case expected::delimiter_or_close: return first == '}' ? close() : array_token::malformed;
    case expected::nothing: break;
  }
  return array_token::malformed;
}

array_token array_literal::open() {
  if (depth_ == most_dimensions || (dimensions_ != 0 && depth_ == dimensions_))
    return array_token::malformed;
  ++depth_;
  rest_.remove_prefix(1);
  expected_ = expected::item_or_close;
  return array_token::open;
}

array_token array_literal::close() {
  --depth_;
  rest_.remove_prefix(1);
  expected_ = depth_ == 0 ? expected::nothing : expected::delimiter_or_close;
  return array_token::close;
}

array_token array_literal::item() {
  if (rest_.front() == '{')
    return open();
  if (dimensions_ == 0)
    dimensions_ = depth_;
  if (depth_ != dimensions_)
    return array_token::malformed;
  const auto found = rest_.front() == '"' ? quoted() : plain();
  if (found != array_token::malformed)
    expected_ = expected::delimiter_or_close;
  return found;
}

array_token array_literal::plain() {
  std::size_t length = 0;
  for (; length < rest_.size(); ++length) {
    const auto c = rest_[length];
    if (c == delimiter_ || c == '}')
      break;
    if (c == '{' || c == '"' || c == '\\')
      return array_token::malformed;
  }
  if (length == 0)
    return array_token::malformed;
  value_ = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return value_ == "NULL" ? array_token::null : array_token::value;
}

array_token array_literal::quoted() {
  rest_.remove_prefix(1);
  unescaped_->clear();
  for (bool escapes = false;; escapes = true) {
    const auto length = rest_.find_first_of("\"\\");
    if (length == std::string_view::npos)
      return array_token::malformed;
    const auto part = rest_.substr(0, length);
    const auto is_end = rest_[length] == '"';
    rest_.remove_prefix(length + 1);
    if (is_end && !escapes) {
      value_ = part;
      return array_token::value;
    }
    unescaped_->append(part);
    if (is_end) {
      value_ = *unescaped_;
      return array_token::value;
    }
    if (rest_.empty())
      return array_token::malformed;
    unescaped_->push_back(rest_.front());
    rest_.remove_prefix(1);
  }
}

} // namespace replicant
