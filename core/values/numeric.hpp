// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/byte_reader.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// Whether a numeric is a number at all.
enum class numeric_kind : std::uint8_t {
  finite,
  nan,
  infinity,
  minus_infinity,
};

/// A number of the type numeric, exact. A view of the text or the binary form that it was read
/// from, so it lives no longer.
class numeric {
public:
  /// Reads PostgreSQL's text; nothing for any other.
  [[nodiscard]] static std::optional<numeric> parse(std::string_view text);

  /// Reads the binary form from the front of `in`; fails `in` when it is none.
  [[nodiscard]] static numeric read(byte_reader& in);

  [[nodiscard]] numeric_kind kind() const { return kind_; }

  [[nodiscard]] bool negative() const { return negative_; }

  /// How many of the digits stand behind the point. 0 unless it is finite.
  [[nodiscard]] int scale() const { return scale_; }

  /// The number times 10 to the power of `scale`; nothing when that does not fit, or it is not
  /// finite.
  [[nodiscard]] std::optional<std::int64_t> unscaled() const;

  /// Appends all digits without sign and point, of a finite number: at least one before the point,
  /// and `scale` behind it.
  void append_digits(std::string& out) const;

  /// Appends the number exactly as PostgreSQL prints it.
  void append_text(std::string& out) const;

private:
  explicit numeric(numeric_kind kind)
    : kind_{kind}, negative_{kind == numeric_kind::minus_infinity} {}

  [[nodiscard]] std::uint16_t group(int place) const;
  void append_whole(std::string& out) const;
  void append_fraction(std::string& out) const;

  numeric_kind kind_;
  bool negative_ = false;
  bool binary_ = false;
  int scale_ = 0;
  int weight_ = 0;          ///< Of the binary form: the power of 10000 that its first group counts.
  std::string_view groups_; ///< Of the binary form: two bytes each, in base 10000.
  std::string_view whole_;  ///< Of the text.
  std::string_view fraction_; ///< Of the text.
};

} // namespace replicant
