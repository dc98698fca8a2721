// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

enum class array_token : std::uint8_t {
  open,      ///< A dimension begins.
  close,     ///< It ends.
  null,      ///< An element that is NULL: the word without quotes.
  value,     ///< Any other element.
  end,       ///< The literal is over.
  malformed, ///< It is not what PostgreSQL prints for an array, or has lower bounds of its own.
};

/// Reads the text form of an array, token by token and once from left to right, as PostgreSQL
/// prints it: all elements at one depth, quoted wherever they could be mistaken.
class array_literal {
public:
  /// `delimiter` stands between the elements. `unescaped` is memory for them, kept by the caller so
  /// that it can be used again.
  array_literal(std::string_view literal, char delimiter, std::string& unescaped)
    : rest_{literal}, delimiter_{delimiter}, unescaped_{&unescaped} {}

  /// Not to be called again after `end` or `malformed`.
  [[nodiscard]] array_token next();

  /// The text of the element, without quotes and escapes, until the next call.
  [[nodiscard]] std::string_view value() const { return value_; }

private:
  enum class expected : std::uint8_t {
    literal,
    item_or_close,
    item,
    delimiter_or_close,
    nothing,
  };

  [[nodiscard]] array_token open();
  [[nodiscard]] array_token close();
  [[nodiscard]] array_token item();
  [[nodiscard]] array_token plain();
  [[nodiscard]] array_token quoted();

  std::string_view rest_;
  char delimiter_;
  std::string* unescaped_;
  std::string_view value_;
  expected expected_ = expected::literal;
  int depth_ = 0;
  int dimensions_ = 0; ///< Where elements stand; 0 before the first.
};

} // namespace replicant
