// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// Reads back a line whose fields stand in a fixed order. What does not match is never skipped.
class field_reader {
public:
  explicit field_reader(std::string_view line) : rest_{line} {}

  /// Steps over `expected` if it comes next.
  [[nodiscard]] bool skip(std::string_view expected) {
    if (!rest_.starts_with(expected))
      return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  /// Takes a decimal number.
  template <class Unsigned>
  [[nodiscard]] std::optional<Unsigned> number() {
    Unsigned value = 0;
    const auto* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, value);
    if (error != std::errc{})
      return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return value;
  }

  /// Takes a position and leaves the quote that ends it.
  [[nodiscard]] std::optional<lsn> position() {
    const auto text = rest_.substr(0, rest_.find('"'));
    rest_.remove_prefix(text.size());
    return parse_lsn(text);
  }

  /// Takes the inside of a JSON string that `append_json_string` wrote, and leaves the quote that
  /// ends it.
  [[nodiscard]] std::optional<std::string> text();

  [[nodiscard]] std::string_view rest() const { return rest_; }

private:
  /// Takes what stands for one byte behind a backslash.
  [[nodiscard]] std::optional<char> escaped();

  std::string_view rest_;
};

} // namespace replicant
