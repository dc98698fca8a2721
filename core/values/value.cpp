// SPDX-License-Identifier: MIT
#include "replicant/core/values/value.hpp"

#include "replicant/core/model/number_text.hpp"
#include "replicant/core/values/binary_text.hpp"
#include "replicant/core/values/binary_time.hpp"
#include "replicant/core/values/scalar_text.hpp"
#include "replicant/core/values/temporal_text.hpp"

#include <bit>

namespace replicant {

namespace {

/// Reads whichever form the cell has.
template <class Parse, class Read>
auto read_cell(const cell& content, Parse parse, Read read) -> decltype(parse(content.bytes)) {
  if (content.kind == cell_kind::text)
    return parse(content.bytes);
  if (content.kind != cell_kind::binary)
    return std::nullopt;
  byte_reader in{content.bytes};
  const auto found = read(in);
  return in.finished() ? std::optional{found} : std::nullopt;
}

const type_shape& built_in_or_unknown(std::uint32_t oid) {
  static const type_shape unknown;
  const auto found = built_in_type(oid);
  // The table of built-in types keeps it for ever.
  return found == nullptr ? unknown : *found;
}

bool is_text(std::uint32_t oid) {
  switch (oid) {
    case 19:   // name
    case 25:   // text, enums
    case 114:  // json
    case 142:  // xml
    case 194:  // pg_node_tree
    case 705:  // unknown
    case 1042: // bpchar
    case 1043: // varchar
    case 1790: // refcursor
      return true;
    default: return false;
  }
}

} // namespace

value::value(const cell& content, std::uint32_t type)
  : content_{content}, type_{&built_in_or_unknown(type)} {}

std::optional<bool> value::as_bool() const {
  if (!is(16))
    return std::nullopt;
  return read_cell(content_, parse_bool, [](byte_reader& in) {
    const auto found = in.u8();
    if (found > 1)
      in.fail();
    return found == 1;
  });
}

std::optional<std::int64_t> value::as_int64() const {
  if (is(20))
    return read_cell(content_, parse_number<std::int64_t>, [](auto& in) { return in.i64(); });
  if (is(23))
    return read_cell(content_, parse_number<std::int32_t>, [](auto& in) { return in.i32(); });
  if (is(21))
    return read_cell(content_, parse_number<std::int16_t>,
                     [](auto& in) { return static_cast<std::int16_t>(in.u16()); });
  return std::nullopt;
}

std::optional<std::uint64_t> value::as_uint64() const {
  if (is(5069)) // xid8
    return read_cell(content_, parse_number<std::uint64_t>, [](auto& in) { return in.u64(); });
  if (is(26) || is(28) || is(29)) // oid, xid, cid
    return read_cell(content_, parse_number<std::uint32_t>, [](auto& in) { return in.u32(); });
  return std::nullopt;
}

std::optional<double> value::as_double() const {
  if (is(701))
    return read_cell(content_, parse_float<double>,
                     [](auto& in) { return std::bit_cast<double>(in.u64()); });
  if (is(700))
    return read_cell(content_, parse_float<float>,
                     [](auto& in) { return std::bit_cast<float>(in.u32()); });
  return std::nullopt;
}

std::optional<numeric> value::as_numeric() const {
  if (!is(1700))
    return std::nullopt;
  return read_cell(content_, numeric::parse, numeric::read);
}

std::optional<money> value::as_money() const {
  if (!is(790))
    return std::nullopt;
  const auto hundredths = read_cell(content_, parse_money, [](auto& in) { return in.i64(); });
  return hundredths ? std::optional{money{*hundredths}} : std::nullopt;
}

std::optional<std::string_view> value::as_text() const {
  if (type_->kind != type_kind::scalar)
    return std::nullopt;
  const auto whole = [](std::string_view text) { return std::optional{text}; };
  if (is_text(type_->reads_as))
    return read_cell(content_, whole, [](auto& in) { return in.rest(); });
  if (is(3802) || is(4072)) // jsonb, jsonpath
    return read_cell(content_, whole, [](byte_reader& in) {
      if (in.u8() != 1) // The version of the form.
        in.fail();
      return in.rest();
    });
  const auto unknown = type_->reads_as == 0 && content_.kind == cell_kind::text;
  return unknown ? std::optional{content_.bytes} : std::nullopt;
}

std::optional<char> value::as_char() const {
  if (!is(18))
    return std::nullopt;
  return read_cell(content_, parse_char, [](auto& in) { return static_cast<char>(in.u8()); });
}

std::optional<std::string_view> value::as_bytes(std::string& memory) const {
  if (!is(17))
    return std::nullopt;
  if (content_.kind == cell_kind::binary)
    return content_.bytes;
  memory.clear();
  if (content_.kind != cell_kind::text || !append_bytea(memory, content_.bytes))
    return std::nullopt;
  return memory;
}

std::optional<bit_string> value::as_bits() const {
  if (!is(1560) && !is(1562))
    return std::nullopt;
  return read_cell(content_, bit_string::parse, bit_string::read);
}

std::optional<uuid> value::as_uuid() const {
  if (!is(2950))
    return std::nullopt;
  return read_cell(content_, parse_uuid, [](byte_reader& in) {
    uuid found{};
    for (auto& one : found)
      one = std::byte{in.u8()};
    return found;
  });
}

std::optional<lsn> value::as_lsn() const {
  if (!is(3220))
    return std::nullopt;
  return read_cell(content_, parse_lsn, [](auto& in) { return lsn{in.u64()}; });
}

std::optional<date> value::as_date() const {
  if (!is(1082))
    return std::nullopt;
  return read_cell(content_, parse_date, read_date);
}

std::optional<std::chrono::microseconds> value::as_time() const {
  if (!is(1083))
    return std::nullopt;
  return read_cell(content_, parse_time, read_time);
}

std::optional<zoned_time> value::as_timetz() const {
  if (!is(1266))
    return std::nullopt;
  return read_cell(content_, parse_zoned_time, read_zoned_time);
}

std::optional<date_time> value::as_timestamp() const {
  if (!is(1114))
    return std::nullopt;
  return read_cell(content_, parse_date_time, read_date_time);
}

std::optional<instant> value::as_timestamptz() const {
  if (!is(1184))
    return std::nullopt;
  return read_cell(content_, parse_instant, read_instant);
}

std::optional<interval> value::as_interval() const {
  if (!is(1186))
    return std::nullopt;
  return read_cell(content_, parse_interval, read_interval);
}

bool value::append_text(std::string& out) const {
  if (content_.kind == cell_kind::binary)
    return append_binary_text(out, *type_, content_.bytes);
  if (content_.kind != cell_kind::text)
    return false;
  out += content_.bytes;
  return true;
}

} // namespace replicant
