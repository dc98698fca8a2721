// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/lsn.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Frames as a walsender would send them, for tests of rules that need no server.
namespace replicant::test {

class byte_writer {
public:
  byte_writer& u8(std::uint8_t value) {
    bytes_.push_back(static_cast<char>(value));
    return *this;
  }

  byte_writer& tag(char value) { return u8(static_cast<std::uint8_t>(value)); }

  byte_writer& u16(std::uint16_t value) { return big_endian(value, 2); }

  byte_writer& u32(std::uint32_t value) { return big_endian(value, 4); }

  byte_writer& u64(std::uint64_t value) { return big_endian(value, 8); }

  byte_writer& text(std::string_view value) {
    bytes_.append(value);
    return u8(0);
  }

  byte_writer& raw(std::string_view value) {
    bytes_.append(value);
    return *this;
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

private:
  byte_writer& big_endian(std::uint64_t value, int width) {
    for (auto shift = 8 * (width - 1); shift >= 0; shift -= 8)
      u8(static_cast<std::uint8_t>(value >> shift));
    return *this;
  }

  std::string bytes_;
};

/// A cell: nothing for NULL.
using test_cell = std::optional<std::string>;

inline std::string data_frame(lsn start, std::string_view payload) {
  return byte_writer{}.tag('w').u64(start.value()).u64(start.value()).u64(0).raw(payload).bytes();
}

inline std::string keepalive_frame(lsn wal_end, bool reply_requested) {
  return byte_writer{}.tag('k').u64(wal_end.value()).u64(0).u8(reply_requested ? 1 : 0).bytes();
}

inline std::string begin_payload(lsn commit_lsn, std::uint32_t xid) {
  return byte_writer{}.tag('B').u64(commit_lsn.value()).u64(0).u32(xid).bytes();
}

inline std::string commit_payload(lsn commit_lsn) {
  return byte_writer{}
    .tag('C')
    .u8(0)
    .u64(commit_lsn.value())
    .u64(commit_lsn.value() + 48)
    .u64(0)
    .bytes();
}

/// A table of text columns, the first of them its key.
inline std::string relation_payload(std::uint32_t oid, std::string_view name,
                                    const std::vector<std::string>& columns) {
  byte_writer out;
  out.tag('R').u32(oid).text("public").text(name).tag('d').u16(
    static_cast<std::uint16_t>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.u8(i == 0 ? 1 : 0).text(columns[i]).u32(25).u32(0xFFFFFFFFU);
  return out.bytes();
}

inline void append_tuple(byte_writer& out, const std::vector<test_cell>& cells) {
  out.u16(static_cast<std::uint16_t>(cells.size()));
  for (const auto& one : cells) {
    if (one)
      out.tag('t').u32(static_cast<std::uint32_t>(one->size())).raw(*one);
    else
      out.tag('n');
  }
}

inline std::string insert_payload(std::uint32_t oid, const std::vector<test_cell>& cells) {
  byte_writer out;
  out.tag('I').u32(oid).tag('N');
  append_tuple(out, cells);
  return out.bytes();
}

inline std::string delete_payload(std::uint32_t oid, const std::vector<test_cell>& key) {
  byte_writer out;
  out.tag('D').u32(oid).tag('K');
  append_tuple(out, key);
  return out.bytes();
}

inline std::string truncate_payload(const std::vector<std::uint32_t>& oids) {
  byte_writer out;
  out.tag('T').u32(static_cast<std::uint32_t>(oids.size())).u8(1);
  for (const auto oid : oids)
    out.u32(oid);
  return out.bytes();
}

inline std::string message_payload(bool transactional, lsn at, std::string_view prefix,
                                   std::string_view content) {
  return byte_writer{}
    .tag('M')
    .u8(transactional ? 1 : 0)
    .u64(at.value())
    .text(prefix)
    .u32(static_cast<std::uint32_t>(content.size()))
    .raw(content)
    .bytes();
}

} // namespace replicant::test
