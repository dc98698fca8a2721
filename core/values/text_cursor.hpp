// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace replicant {

[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A bounded cursor over text, as `byte_reader` is one over bytes: the first thing that is not
/// there fails it for good, so that a whole text can be read without a check and judged once.
class text_cursor {
public:
  explicit text_cursor(std::string_view text) : rest_{text} {}

  /// Takes `expected` when it comes next. @returns whether it did.
  [[nodiscard]] bool take(std::string_view expected) {
    const auto found = rest_.starts_with(expected);
    if (found)
      rest_.remove_prefix(expected.size());
    return found;
  }

  /// Fails when `c` does not come next.
  void expect(char c) {
    if (!take({&c, 1}))
      fail();
  }

  /// Fails when nothing is left.
  void expect_more() {
    if (rest_.empty())
      fail();
  }

  /// All digits that come next; fails unless there are `fewest` to `most` (at most 19) of them.
  [[nodiscard]] std::uint64_t number(std::size_t fewest, std::size_t most) {
    const auto count = digits();
    if (count < fewest || count > most) {
      fail();
      return 0;
    }
    std::uint64_t value = 0;
    for (const auto c : rest_.substr(0, count))
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
    rest_.remove_prefix(count);
    return value;
  }

  /// Whether digits come next, and `c` behind them.
  [[nodiscard]] bool digits_before(char c) const {
    const auto count = digits();
    return count != 0 && count < rest_.size() && rest_[count] == c;
  }

  /// Declares the text wrong, for what only the caller can judge.
  void fail() {
    failed_ = true;
    rest_ = {};
  }

  [[nodiscard]] bool failed() const { return failed_; }

  [[nodiscard]] std::size_t left() const { return rest_.size(); }

  /// Whether everything was there and nothing is left over.
  [[nodiscard]] bool finished() const { return !failed_ && rest_.empty(); }

private:
  [[nodiscard]] std::size_t digits() const {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count]))
      ++count;
    return count;
  }

  std::string_view rest_;
  bool failed_ = false;
};

} // namespace replicant
