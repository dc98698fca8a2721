// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/change.hpp"
#include "replicant/core/values/type_shape.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace replicant {

/// How the text of a value becomes JSON.
enum class value_form : std::uint8_t {
  string,   ///< A JSON string.
  number,   ///< The same characters when they are a JSON number, else a string (NaN, Infinity).
  boolean,  ///< t and f become true and false, anything else a string.
  document, ///< Embedded, when it is JSON that any reader takes.
  array, ///< A JSON array of elements in their form; a string when it has lower bounds of its own.
};

/// How values of a type are written: bool, int2, int4, int8, float4, float8, json, jsonb and arrays
/// have a form of their own, numeric has the given one, every other type keeps PostgreSQL's text.
[[nodiscard]] value_form form_of(const type_shape& type, value_form numeric);

/// What becomes of documents.
enum class documents : std::uint8_t {
  embedded,
  as_text, ///< Strings that hold their text.
};

/// Whether a form says all that has to be known to write a value's text.
[[nodiscard]] constexpr bool is_flat(value_form form) {
  return form != value_form::document && form != value_form::array;
}

/// Appends the text of a value whose form is flat. No value ever passes through a number type.
void append_flat_value(std::string& out, value_form form, std::string_view text);

enum class value_outcome : std::uint8_t {
  as_asked,
  as_text, ///< A document in the value cannot be embedded, so all of the value's are strings.
  broken,  ///< The binary form is not known or malformed; what was appended is of no use.
};

/// Writes values of rows, of whatever type, as JSON.
class value_writer {
public:
  explicit value_writer(value_form numeric = value_form::string) : numeric_{numeric} {}

  /// How values of `type` are written here.
  [[nodiscard]] value_form form_of(const type_shape& type) const {
    return replicant::form_of(type, numeric_);
  }

  /// Appends a value that is text or binary. `form` is `form_of(type)`.
  [[nodiscard]] value_outcome append(std::string& out, const type_shape& type, value_form form,
                                     const cell& value, documents how);

  /// Gives back the memory that a huge value has taken.
  void shrink();

private:
  /// @returns false, with a part of the value appended, when a document cannot be embedded.
  [[nodiscard]] bool append_text(std::string& out, const type_shape& type, value_form form,
                                 std::string_view text, documents how, std::size_t level);
  [[nodiscard]] bool append_array(std::string& out, const type_shape& type, std::string_view text,
                                  documents how, std::size_t level);
  [[nodiscard]] std::string& element_text(std::size_t level);

  value_form numeric_;
  std::string printed_;              ///< The text of a binary value.
  std::deque<std::string> elements_; ///< The text of an array's element, by level of arrays.
};

} // namespace replicant
