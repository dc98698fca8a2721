// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/json_document.hpp"

#include "replicant/actors/sinks/jsonl/json_text.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <span>

namespace replicant {

namespace {

constexpr std::size_t deepest = 100;

/// Judges a copy of a document and mends its line breaks, in one pass and without recursion. Every
/// step returns false when the document is refused.
class document {
public:
  explicit document(std::span<char> text) : text_{text} {}

  [[nodiscard]] bool embeddable() {
    while (value()) {
      // A value is complete: it may complete what it stands in.
      while (depth_ > 0 && take(closing()))
        --depth_;
      if (depth_ == 0)
        return at_end();
      if (!take(',') || (closing() == '}' && !name()))
        return false;
    }
    return false;
  }

private:
  /// A scalar, or a container up to its first scalar.
  [[nodiscard]] bool value() {
    for (;;) {
      skip_space();
      if (take('"'))
        return string();
      if (take('[')) {
        if (!enter(']'))
          return false;
        if (take(']'))
          break;
      } else if (take('{')) {
        if (!enter('}'))
          return false;
        if (take('}'))
          break;
        if (!name())
          return false;
      } else {
        return word();
      }
    }
    --depth_;
    return true;
  }

  [[nodiscard]] bool enter(char closing) {
    if (depth_ == deepest)
      return false;
    closings_.at(depth_++) = closing;
    return true;
  }

  [[nodiscard]] char closing() const { return closings_.at(depth_ - 1); }

  /// The name of a member and the colon.
  [[nodiscard]] bool name() { return take('"') && string() && take(':'); }

  /// The rest of a string.
  [[nodiscard]] bool string() {
    for (;;) {
      at_ += plain_length(rest());
      if (at_ == text_.size())
        return false;
      const auto stop = text_[at_++];
      if (stop == '"')
        return true;
      if (stop != '\\' || !escape())
        return false;
    }
  }

  [[nodiscard]] bool escape() {
    constexpr std::string_view short_escapes = R"("\/bfnrt)";
    if (at_ == text_.size())
      return false;
    const auto kind = text_[at_++];
    if (kind != 'u')
      return short_escapes.find(kind) != std::string_view::npos;
    const auto unit = code_unit();
    if (!unit || is_low_surrogate(*unit))
      return false;
    if (*unit < 0xD800 || *unit > 0xDBFF)
      return true;
    if (!rest().starts_with("\\u"))
      return false;
    at_ += 2;
    const auto second = code_unit();
    return second && is_low_surrogate(*second);
  }

  [[nodiscard]] static bool is_low_surrogate(unsigned unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
  }

  /// Four hexadecimal digits.
  [[nodiscard]] std::optional<unsigned> code_unit() {
    const auto digits = rest().substr(0, 4);
    unsigned unit = 0;
    const auto* const stop =
      std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16).ptr;
    if (digits.size() < 4 || stop != digits.data() + 4)
      return std::nullopt;
    at_ += 4;
    return unit;
  }

  /// A number, true, false or null.
  [[nodiscard]] bool word() {
    const auto length = rest().find_first_of(",]} \t\r\n");
    const auto found = rest().substr(0, length);
    at_ += found.size();
    return is_json_number(found) || found == "true" || found == "false" || found == "null";
  }

  [[nodiscard]] bool take(char wanted) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != wanted)
      return false;
    ++at_;
    return true;
  }

  [[nodiscard]] bool at_end() {
    skip_space();
    return at_ == text_.size();
  }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      auto& c = text_[at_];
      if (c == '\n' || c == '\r')
        c = ' ';
      else if (c != ' ' && c != '\t')
        return;
    }
  }

  [[nodiscard]] std::string_view rest() const { return {text_.data() + at_, text_.size() - at_}; }

  std::span<char> text_;
  std::size_t at_ = 0;
  std::array<char, deepest> closings_{}; ///< Of the containers that are open.
  std::size_t depth_ = 0;
};

} // namespace

bool append_json_document(std::string& out, std::string_view text) {
  const auto start = out.size();
  out.append(text);
  if (document{std::span{out}.subspan(start)}.embeddable())
    return true;
  out.resize(start);
  return false;
}

bool is_null_document(std::string_view embedded) {
  constexpr std::string_view space = " \t";
  const auto first = embedded.find_first_not_of(space);
  return first != std::string_view::npos && embedded.substr(first).starts_with("null") &&
         embedded.find_last_not_of(space) == first + 3;
}

} // namespace replicant
