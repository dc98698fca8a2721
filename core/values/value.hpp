// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/change.hpp"
#include "replicant/core/model/lsn.hpp"
#include "replicant/core/values/bit_string.hpp"
#include "replicant/core/values/numeric.hpp"
#include "replicant/core/values/temporal.hpp"
#include "replicant/core/values/type_shape.hpp"

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

class array_value;
class range_value;

using uuid = std::array<std::byte, 16>;

/// An amount of money, as the locale C counts it.
struct money {
  std::int64_t hundredths = 0;

  friend constexpr auto operator<=>(money, money) = default;
};

/// A value of a row together with its type, to be read as a C++ value.
///
/// Text and binary cells give the same answers. A getter answers only for the types that it names,
/// and only when its type can hold the value exactly; otherwise with nothing, never with a guess,
/// and `content` still has the original. A NULL has no value: ask `is_null` first. Getters of
/// scalars allocate nothing. All is a view: it lives as long as the cell, and as the type if that
/// is not built in. Safe to read from several threads.
class value {
public:
  /// `type` is the OID of the column's type. One that is not built in is known by its text alone,
  /// unless its shape is given (see the other constructor).
  value(const cell& content, std::uint32_t type);

  /// `type` may be of a domain, an enum or whatever else a `type_catalog` has found.
  value(const cell& content, const type_shape& type) : content_{content}, type_{&type} {}

  value(const cell& content, const type_shape&& type) = delete;

  [[nodiscard]] bool is_null() const { return content_.kind == cell_kind::null; }

  /// A value that the update did not touch and the server did not send.
  [[nodiscard]] bool is_unchanged() const { return content_.kind == cell_kind::unchanged; }

  /// What the server sent.
  [[nodiscard]] const cell& content() const { return content_; }

  [[nodiscard]] const type_shape& type() const { return *type_; }

  [[nodiscard]] std::optional<bool> as_bool() const;
  [[nodiscard]] std::optional<std::int64_t> as_int64() const;   ///< int2, int4, int8.
  [[nodiscard]] std::optional<std::uint64_t> as_uint64() const; ///< oid, xid, cid, xid8.

  /// float4, float8, with NaN and both infinities. A float4 is widened, so that a float holds it.
  [[nodiscard]] std::optional<double> as_double() const;
  [[nodiscard]] std::optional<numeric> as_numeric() const;

  /// In text form only as the locale C writes it, with or without "$" and commas: what another
  /// locale has written could be wrong by a factor of 100.
  [[nodiscard]] std::optional<money> as_money() const;

  /// text, varchar, bpchar, name, xml, json, jsonb, jsonpath, refcursor, enums: untouched. The text
  /// form of a type that is not known too.
  [[nodiscard]] std::optional<std::string_view> as_text() const;
  [[nodiscard]] std::optional<char> as_char() const; ///< "char", the type of one byte.

  /// bytea. The bytes may be in `memory`, which can be used again for the next value.
  [[nodiscard]] std::optional<std::string_view> as_bytes(std::string& memory) const;
  [[nodiscard]] std::optional<bit_string> as_bits() const; ///< bit, varbit.
  [[nodiscard]] std::optional<uuid> as_uuid() const;
  [[nodiscard]] std::optional<lsn> as_lsn() const; ///< pg_lsn.

  [[nodiscard]] std::optional<date> as_date() const;
  [[nodiscard]] std::optional<std::chrono::microseconds> as_time() const; ///< Since midnight.
  [[nodiscard]] std::optional<zoned_time> as_timetz() const;
  [[nodiscard]] std::optional<date_time> as_timestamp() const;
  [[nodiscard]] std::optional<instant> as_timestamptz() const;
  [[nodiscard]] std::optional<interval> as_interval() const;

  [[nodiscard]] std::optional<array_value> as_array() const;
  [[nodiscard]] std::optional<range_value> as_range() const;

  /// The ranges of a multirange, in order; each is read by `as_range`.
  [[nodiscard]] std::optional<std::vector<value>> as_multirange() const;

  /// Appends what PostgreSQL prints for the value, of any type. @returns false, with `out` as it
  /// was, when there is no value or its binary form is not known or malformed.
  [[nodiscard]] bool append_text(std::string& out) const;

private:
  [[nodiscard]] bool is(std::uint32_t oid) const {
    return type_->kind == type_kind::scalar && type_->reads_as == oid;
  }

  cell content_;
  const type_shape* type_;
};

/// How many elements an array has in one direction, and how they are counted.
struct array_dimension {
  std::uint32_t size = 0;
  std::int32_t first = 1; ///< Index of the first element.

  friend constexpr bool operator==(const array_dimension&, const array_dimension&) = default;
};

/// An array: of up to six dimensions, each with a lower bound of its own.
class array_value {
public:
  /// From the outermost; none when there are no elements.
  [[nodiscard]] const std::vector<array_dimension>& dimensions() const { return dimensions_; }

  /// All elements, the last index counting fastest. They live as long as this and the array's cell.
  [[nodiscard]] const std::vector<value>& elements() const { return elements_; }

private:
  friend class array_reader;

  std::vector<array_dimension> dimensions_;
  std::vector<value> elements_;
  std::unique_ptr<std::string> unescaped_; ///< What elements view that had to be unescaped.
};

/// One end of a range; it views the cell that the range was read from.
struct range_bound {
  value at;
  bool inclusive = false;
};

/// A range. One that is not empty has no bound where it goes on for ever.
class range_value {
public:
  [[nodiscard]] bool empty() const { return empty_; }

  /// The bounds live as long as this and the range's cell.
  [[nodiscard]] const std::optional<range_bound>& lower() const { return lower_; }

  [[nodiscard]] const std::optional<range_bound>& upper() const { return upper_; }

private:
  friend class range_reader;

  bool empty_ = false;
  std::optional<range_bound> lower_;
  std::optional<range_bound> upper_;
  std::unique_ptr<std::string> unescaped_; ///< What bounds view that had to be unescaped.
};

} // namespace replicant
