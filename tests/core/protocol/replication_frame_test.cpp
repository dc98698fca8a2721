// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/replication_frame.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>

using namespace replicant;
using namespace std::string_view_literals;

namespace {

wire_bytes xlog_header() {
  return wire_bytes{}
    .u8('w')
    .u64(0x0102030405060708)
    .u64(0x1112131415161718)
    .u64(0x2122232425262728);
}

wire_bytes keepalive_head() {
  return wire_bytes{}.u8('k').u64(0xFFFFFFFFFFFFFFFF).u64(0xFFFFFFFFFFFFFFFE);
}

} // namespace

TEST_CASE("XLogData gives its positions, time and payload in place", "[protocol][unit]") {
  const auto bytes = xlog_header().raw("pay\0load"sv).str();
  const auto frame = decode_frame(bytes);
  REQUIRE(frame);
  const auto& data = std::get<xlog_data>(*frame);
  CHECK(data.start == lsn{0x0102030405060708});
  CHECK(data.end == lsn{0x1112131415161718});
  CHECK(data.sent == timestamp{0x2122232425262728});
  CHECK(data.payload == "pay\0load"sv);
  CHECK(data.payload.data() == bytes.data() + 25);
}

TEST_CASE("XLogData may be empty", "[protocol][unit]") {
  const auto bytes = xlog_header().str();
  const auto frame = decode_frame(bytes);
  REQUIRE(frame);
  CHECK(std::get<xlog_data>(*frame).payload.empty());
}

TEST_CASE("a keepalive tells the end of WAL and whether it wants a reply", "[protocol][unit]") {
  const auto wants = GENERATE(false, true);
  const auto bytes = keepalive_head().u8(wants).str();
  const auto frame = decode_frame(bytes);
  REQUIRE(frame);
  const auto& alive = std::get<keepalive>(*frame);
  CHECK(alive.wal_end == lsn{0xFFFFFFFFFFFFFFFF});
  CHECK(alive.sent == timestamp{-2});
  CHECK(alive.reply_requested == wants);
}

TEST_CASE("frames cut short, too long or unknown are faults", "[protocol][unit]") {
  const auto fails = [](std::string_view bytes) {
    const auto frame = decode_frame(bytes);
    return !frame && frame.error().why == reason::decode_failure;
  };
  for (const auto& whole : {xlog_header().str(), keepalive_head().u8(1).str()})
    for (std::size_t length = 0; length < whole.size(); ++length)
      CHECK(fails(std::string_view{whole}.substr(0, length)));
  CHECK(fails(keepalive_head().u8(1).u8(0).str()));
  CHECK(fails(keepalive_head().u8(2).str()));
  for (auto tag = 0; tag < 256; ++tag)
    if (tag != 'w' && tag != 'k')
      CHECK(fails(wire_bytes{}.u8(tag).raw(xlog_header().str().substr(1)).str()));
}

TEST_CASE("a status update is encoded byte by byte as the protocol says", "[protocol][unit]") {
  const auto frame = encode({.written = lsn{0x0102030405060708},
                             .flushed = lsn{0x1112131415161718},
                             .applied = lsn{0xF1F2F3F4F5F6F7F8},
                             .now = {-2},
                             .reply_requested = true});
  CHECK(std::string_view{frame.data(), frame.size()} ==
        "r\x01\x02\x03\x04\x05\x06\x07\x08\x11\x12\x13\x14\x15\x16\x17\x18"
        "\xF1\xF2\xF3\xF4\xF5\xF6\xF7\xF8\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE\x01"sv);
}

TEST_CASE("a status update promises nothing and asks nothing unless told to", "[protocol][unit]") {
  const auto frame = encode(status_update{});
  CHECK(std::string_view{frame.data(), frame.size()} == "r" + std::string(33, '\0'));
}
