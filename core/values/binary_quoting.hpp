// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace replicant {

/// How PostgreSQL writes the text of a value inside the text of another: in double quotes when it
/// could be misread without them.
class quoting {
public:
  /// `special` makes quotes necessary, besides white space, double quotes, backslashes and having
  /// no characters at all. Only ASCII can be special.
  constexpr explicit quoting(std::string_view special) {
    for (const auto c : " \t\n\v\f\r\"\\")
      add(c);
    for (const auto c : special)
      add(c);
  }

  /// A composite's member.
  [[nodiscard]] static constexpr quoting of_member() { return quoting{"(),"}; }

  /// A range's bound.
  [[nodiscard]] static constexpr quoting of_bound() { return quoting{"()[],"}; }

  /// An array's element. Unlike the others it puts a backslash before what must be escaped instead
  /// of doubling it.
  [[nodiscard]] static constexpr quoting of_element(char delimiter) {
    quoting rule{"{}"};
    rule.add(delimiter);
    rule.doubles_ = false;
    return rule;
  }

  /// Whether `text` needs quotes.
  [[nodiscard]] bool concerns(std::string_view text) const;

  /// Puts what stands in `out` from `start` on into quotes.
  void enclose(std::string& out, std::size_t start) const;

private:
  constexpr void add(char c) {
    const auto code = static_cast<unsigned char>(c);
    if (code != 0 && code < 128)
      special_.at(code / 64) |= std::uint64_t{1} << code % 64;
  }

  std::array<std::uint64_t, 4> special_{}; ///< A bit for each byte.
  bool doubles_ = true;
};

} // namespace replicant
