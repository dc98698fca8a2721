// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"
#include "replicant/core/model/timestamp.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// Puts a message together by hand, in network order:
/// `wire_bytes{}.u8('B').u64(1).u64(2).u32(3).str()`.
class wire_bytes {
public:
  wire_bytes& u8(int value) { return number(static_cast<std::uint8_t>(value)); }

  wire_bytes& u16(int value) { return number(static_cast<std::uint16_t>(value)); }

  wire_bytes& u32(std::uint32_t value) { return number(value); }

  wire_bytes& u64(std::uint64_t value) { return number(value); }

  /// Text behind which a NUL follows.
  wire_bytes& text(std::string_view value) { return raw(value).u8(0); }

  wire_bytes& raw(std::string_view value) {
    bytes_ += value;
    return *this;
  }

  /// A cell with a value: `tag` is 't' or 'b'.
  wire_bytes& cell(char tag, std::string_view value) {
    return u8(tag).u32(static_cast<std::uint32_t>(value.size())).raw(value);
  }

  [[nodiscard]] const std::string& str() const { return bytes_; }

private:
  template <class Number>
  wire_bytes& number(Number value) {
    for (auto shift = static_cast<int>(sizeof value) * 8 - 8; shift >= 0; shift -= 8)
      bytes_ += static_cast<char>(value >> shift & 0xFF);
    return *this;
  }

  std::string bytes_;
};

// Frames and payloads as a walsender would send them, for tests of rules that need no server.

inline std::string data_frame(lsn start, std::string_view payload) {
  return wire_bytes{}.u8('w').u64(start.value()).u64(start.value()).u64(0).raw(payload).str();
}

inline std::string keepalive_frame(lsn wal_end, bool reply_requested) {
  return wire_bytes{}.u8('k').u64(wal_end.value()).u64(0).u8(reply_requested ? 1 : 0).str();
}

inline std::string begin_payload(lsn commit_lsn, std::uint32_t xid, timestamp commit_time = {}) {
  const auto time = static_cast<std::uint64_t>(commit_time.microseconds);
  return wire_bytes{}.u8('B').u64(commit_lsn.value()).u64(time).u32(xid).str();
}

inline std::string commit_payload(lsn commit_lsn, timestamp commit_time = {}) {
  const auto time = static_cast<std::uint64_t>(commit_time.microseconds);
  const auto start = commit_lsn.value();
  return wire_bytes{}.u8('C').u8(0).u64(start).u64(start + 48).u64(time).str();
}

/// A table of text columns, the first of them its key.
inline std::string relation_payload(std::uint32_t oid, std::string_view name,
                                    const std::vector<std::string>& columns) {
  wire_bytes out;
  out.u8('R').u32(oid).text("public").text(name).u8('d').u16(static_cast<int>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.u8(i == 0 ? 1 : 0).text(columns[i]).u32(25).u32(0xFFFFFFFFU);
  return out.str();
}

/// A cell of text: nothing for NULL.
using text_cell = std::optional<std::string>;

inline void append_tuple(wire_bytes& out, const std::vector<text_cell>& cells) {
  out.u16(static_cast<int>(cells.size()));
  for (const auto& one : cells) {
    if (one)
      out.cell('t', *one);
    else
      out.u8('n');
  }
}

inline std::string insert_payload(std::uint32_t oid, const std::vector<text_cell>& cells) {
  wire_bytes out;
  out.u8('I').u32(oid).u8('N');
  append_tuple(out, cells);
  return out.str();
}

inline std::string delete_payload(std::uint32_t oid, const std::vector<text_cell>& key) {
  wire_bytes out;
  out.u8('D').u32(oid).u8('K');
  append_tuple(out, key);
  return out.str();
}

inline std::string truncate_payload(const std::vector<std::uint32_t>& oids) {
  wire_bytes out;
  out.u8('T').u32(static_cast<std::uint32_t>(oids.size())).u8(1);
  for (const auto oid : oids)
    out.u32(oid);
  return out.str();
}

inline std::string message_payload(bool transactional, lsn at, std::string_view prefix,
                                   std::string_view content) {
  return wire_bytes{}
    .u8('M')
    .u8(transactional ? 1 : 0)
    .u64(at.value())
    .text(prefix)
    .u32(static_cast<std::uint32_t>(content.size()))
    .raw(content)
    .str();
}

/// As it is sent inside of a segment, of the (sub)transaction `xid`.
inline std::string in_segment(std::uint32_t xid, std::string payload) {
  return payload.insert(1, wire_bytes{}.u32(xid).str());
}

inline std::string stream_start_payload(std::uint32_t xid, bool first) {
  return wire_bytes{}.u8('S').u32(xid).u8(first ? 1 : 0).str();
}

inline std::string stream_stop_payload() {
  return "E";
}

inline std::string stream_commit_payload(std::uint32_t xid, lsn commit_lsn,
                                         timestamp commit_time = {}) {
  const auto time = static_cast<std::uint64_t>(commit_time.microseconds);
  const auto start = commit_lsn.value();
  return wire_bytes{}.u8('c').u32(xid).u8(0).u64(start).u64(start + 48).u64(time).str();
}

inline std::string stream_abort_payload(std::uint32_t xid, std::uint32_t subxid) {
  return wire_bytes{}.u8('A').u32(xid).u32(subxid).str();
}

/// The frames of one transaction: `rows` rows of `width` bytes in the table "orders" (OID 16384).
inline std::vector<std::string> transaction_frames(std::uint64_t commit, std::size_t rows = 1,
                                                   std::size_t width = 8) {
  constexpr std::uint32_t orders = 16384;
  const lsn at{commit};
  const timestamp time{static_cast<std::int64_t>(commit)};
  std::vector frames{data_frame(at, begin_payload(at, 7, time)),
                     data_frame(lsn{}, relation_payload(orders, "orders", {"id"}))};
  for (std::size_t row = 0; row < rows; ++row)
    frames.push_back(data_frame(at, insert_payload(orders, {std::string(width, 'x')})));
  frames.push_back(data_frame(at, commit_payload(at, time)));
  return frames;
}

} // namespace replicant
