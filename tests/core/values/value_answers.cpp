// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_answers.hpp"

#include "replicant/core/values/digits.hpp"

#include <bit>
#include <chrono>
#include <optional>

namespace replicant::test {

namespace {

constexpr auto nothing = "nothing was read";

std::string hex(std::string_view bytes) {
  std::string out;
  append_hex(out, bytes);
  return out;
}

/// @returns what `tell` says of a value that is there.
template <class Value, class Tell>
std::string told(const std::optional<Value>& found, Tell tell) {
  return found ? tell(*found) : nothing;
}

std::string decimal(auto number) {
  return std::to_string(number);
}

/// The SQL of a value's text, in hexadecimal so that nothing in it can be mistaken.
std::string hex_text(const std::string& sql) {
  return "encode(convert_to(format('%s', " + sql + "), 'UTF8'), 'hex')";
}

std::string tell_any(const value& v) {
  std::string out;
  return v.append_text(out) ? hex(out) : nothing;
}

std::string tell_numeric(const numeric& number) {
  std::string out;
  number.append_text(out);
  if (number.kind() != numeric_kind::finite)
    return out;
  out += ' ' + decimal(number.scale()) + ' ';
  number.append_digits(out);
  out += number.negative() ? " negative " : " not ";
  return out + told(number.unscaled(), [](auto n) { return decimal(n); });
}

const auto numeric_sql = "CASE WHEN @v::text ~ '[NI]' THEN @v::text ELSE concat_ws(' ', @v,"
                         " scale(@v), translate(@v::text, '-.', ''),"
                         " CASE WHEN @v < 0 THEN 'negative' ELSE 'not' END,"
                         " CASE WHEN replace(@v::text, '.', '')::numeric"
                         "   BETWEEN -9223372036854775808 AND 9223372036854775807"
                         " THEN replace(@v::text, '.', '')::numeric::int8::text"
                         " ELSE 'nothing was read' END) END";

std::string tell_date(const date& day) {
  if (!day.is_finite())
    return day == date::infinity() ? "infinity" : "-infinity";
  const auto [year, month, number] = day.calendar().value();
  // PostgreSQL's own count has no year 0.
  return decimal(day.days) + ' ' + decimal(year > 0 ? year : year - 1) + ' ' + decimal(month) +
         ' ' + decimal(number);
}

const auto date_sql = "CASE WHEN isfinite(@v) THEN concat_ws(' ', @v - date '2000-01-01',"
                      " extract(year FROM @v), extract(month FROM @v), extract(day FROM @v))"
                      " ELSE @v::text END";

template <class Moment>
std::string tell_moment(const Moment& moment) {
  if (!moment.is_finite())
    return moment == Moment::infinity() ? "infinity" : "-infinity";
  return decimal(moment.microseconds) + ' ' + decimal(moment.day().days) + ' ' +
         decimal(moment.time_of_day().count());
}

// The epoch of the last days that there are is not exact on the server itself.
const auto moment_sql = "CASE WHEN isfinite(@v) THEN concat_ws(' ',"
                        " (@v::date - date '2000-01-01') * 86400000000::numeric"
                        "   + trunc(extract(epoch FROM @v::time) * 1000000),"
                        " @v::date - date '2000-01-01',"
                        " trunc(extract(epoch FROM @v::time) * 1000000)) ELSE @v::text END";

std::string tell_interval(const interval& length) {
  if (!length.is_finite())
    return length == interval::infinity() ? "infinity" : "-infinity";
  return decimal(length.months) + ' ' + decimal(length.days) + ' ' + decimal(length.time.count());
}

const auto interval_sql =
  "CASE WHEN isfinite(@v) THEN concat_ws(' ',"
  " extract(year FROM @v)::int8 * 12 + extract(month FROM @v)::int8, extract(day FROM @v),"
  " trunc((extract(hour FROM @v) * 3600 + extract(minute FROM @v) * 60 + extract(second FROM @v))"
  "   * 1000000)) ELSE @v::text END";

std::string tell_bits(const bit_string& bits) {
  std::string out = decimal(bits.size()) + ' ';
  for (std::size_t index = 0; index < bits.size(); ++index)
    out += bits[index] ? '1' : '0';
  return out;
}

std::string tell_bytes(const value& v) {
  std::string memory = "of the value before";
  return told(v.as_bytes(memory), hex);
}

std::string tell_uuid(const uuid& id) {
  std::string out;
  for (const auto byte : id)
    append_hex(out, std::to_integer<std::uint64_t>(byte), 2);
  return out;
}

value_answer scalar_answer(std::uint32_t oid) {
  const auto whole = [](auto number) { return decimal(number); };
  const auto count = [](auto time) { return decimal(time.count()); };
  switch (oid) {
    case 16:
      return {"@v::int::text",
              [=](auto& v) { return told(v.as_bool(), [](bool b) { return b ? "1" : "0"; }); }};
    case 17: return {"encode(@v, 'hex')", tell_bytes};
    case 18:
      return {"get_byte(charsend(@v), 0)::text", [](auto& v) {
                return told(v.as_char(),
                            [](char c) { return decimal(+static_cast<unsigned char>(c)); });
              }};
    case 19:
    case 25:
    case 114:
    case 142:
    case 1042:
    case 1043:
    case 1790:
    case 3802:
    case 4072: return {hex_text("@v"), [](auto& v) { return told(v.as_text(), hex); }};
    case 20:
    case 21:
    case 23: return {"@v::text", [=](auto& v) { return told(v.as_int64(), whole); }};
    case 26:
    case 28:
    case 29:
    case 5069: return {"@v::text", [=](auto& v) { return told(v.as_uint64(), whole); }};
    case 700:
    case 701:
      return {"encode(float8send(@v::float8), 'hex')", [](auto& v) {
                return told(v.as_double(), [](double number) {
                  std::string out;
                  append_hex(out, std::bit_cast<std::uint64_t>(number), 16);
                  return out;
                });
              }};
    case 790:
      return {"(@v::numeric * 100)::int8::text", [](auto& v) {
                return told(v.as_money(), [](money m) { return decimal(m.hundredths); });
              }};
    case 1082: return {date_sql, [](auto& v) { return told(v.as_date(), tell_date); }};
    case 1083:
      return {"trunc(extract(epoch FROM @v) * 1000000)::text",
              [=](auto& v) { return told(v.as_time(), count); }};
    case 1114:
      return {moment_sql, [](auto& v) { return told(v.as_timestamp(), tell_moment<date_time>); }};
    case 1184:
      // Whatever the session's zone is.
      return {value_answer{moment_sql, {}}.sql_of("(@v AT TIME ZONE 'UTC')"),
              [](auto& v) { return told(v.as_timestamptz(), tell_moment<instant>); }};
    case 1186: return {interval_sql, [](auto& v) { return told(v.as_interval(), tell_interval); }};
    case 1266:
      return {
        "concat_ws(' ', trunc((extract(epoch FROM @v) + extract(timezone FROM @v)) * 1000000),"
        " extract(timezone FROM @v))",
        [=](auto& v) {
          return told(v.as_timetz(),
                      [=](const zoned_time& t) { return count(t.time) + ' ' + count(t.offset); });
        }};
    case 1560:
    case 1562:
      return {"length(@v) || ' ' || format('%s', @v)",
              [](auto& v) { return told(v.as_bits(), tell_bits); }};
    case 1700: return {numeric_sql, [](auto& v) { return told(v.as_numeric(), tell_numeric); }};
    case 2950:
      return {"replace(@v::text, '-', '')", [](auto& v) { return told(v.as_uuid(), tell_uuid); }};
    case 3220:
      return {"(@v - '0/0')::text",
              [](auto& v) { return told(v.as_lsn(), [](lsn at) { return decimal(at.value()); }); }};
    default: return {hex_text("@v"), tell_any};
  }
}

value_answer array_answer(const type_shape& type) {
  const auto element = answer_for(*type.element);
  const auto tell = [element](const array_value& list) {
    std::string out;
    for (const auto& [size, first] : list.dimensions())
      out += '[' + decimal(first) + ':' + decimal(std::int64_t{first} + size - 1) + ']';
    for (const auto& one : list.elements())
      out += ',' + (one.is_null() ? "null" : element.tell(one));
    return out;
  };
  // An empty array may have dimensions inside of the server, of which its text knows nothing.
  return {"concat(CASE WHEN cardinality(@v) > 0 THEN array_dims(@v) END, (SELECT string_agg(',' || "
          "CASE WHEN e IS NULL THEN 'null' ELSE " +
            element.sql_of("e") +
            " END, '' ORDER BY i) FROM unnest(@v) WITH ORDINALITY AS u(e, i)))",
          [tell](const value& v) { return told(v.as_array(), tell); }};
}

value_answer range_answer(const type_shape& type) {
  const auto element = answer_for(*type.element);
  const auto side = [element](const std::optional<range_bound>& bound) {
    return bound ? (bound->inclusive ? " with " : " without ") + element.tell(bound->at)
                 : std::string{" none"};
  };
  const auto sql = [&](const std::string& name) {
    return "CASE WHEN " + name + "_inf(@v) THEN ' none' ELSE CASE WHEN " + name +
           "_inc(@v) THEN ' with ' ELSE ' without ' END || " + element.sql_of(name + "(@v)") +
           " END";
  };
  return {"CASE WHEN isempty(@v) THEN 'empty' ELSE " + sql("lower") + " || " + sql("upper") +
            " END",
          [side](const value& v) {
            return told(v.as_range(), [side](const range_value& range) {
              return range.empty() ? "empty" : side(range.lower()) + side(range.upper());
            });
          }};
}

value_answer multirange_answer(const type_shape& type) {
  const auto range = answer_for(*type.element);
  return {"concat((SELECT string_agg(" + range.sql_of("r") +
            ", ';' ORDER BY i)"
            " FROM unnest(@v) WITH ORDINALITY AS u(r, i)))",
          [range](const value& v) {
            return told(v.as_multirange(), [range](const std::vector<value>& ranges) {
              std::string out;
              for (const auto& one : ranges)
                out += (out.empty() ? "" : ";") + range.tell(one);
              return out;
            });
          }};
}

} // namespace

std::string value_answer::sql_of(const std::string& name) const {
  auto text = sql;
  for (auto at = text.find("@v"); at != std::string::npos; at = text.find("@v", at + name.size()))
    text.replace(at, 2, name);
  return text;
}

value_answer answer_for(const type_shape& type) {
  switch (type.kind) {
    case type_kind::scalar: return scalar_answer(type.reads_as);
    case type_kind::array:
      // An array of composites cannot be unnested into one column.
      return type.element->kind == type_kind::composite ? scalar_answer(0) : array_answer(type);
    case type_kind::range: return range_answer(type);
    case type_kind::multirange: return multirange_answer(type);
    case type_kind::composite: break;
  }
  return scalar_answer(0);
}

} // namespace replicant::test
