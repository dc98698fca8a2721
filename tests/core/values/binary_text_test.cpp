// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_text.hpp"
#include "replicant/tests/core/values/binary_samples.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

void check_text(const std::vector<binary_sample>& samples) {
  for (const auto& sample : samples) {
    std::string out = "before ";
    CAPTURE(sample.type.reads_as, sample.text);
    CHECK(append_binary_text(out, sample.type, sample.bytes));
    CHECK(out == "before " + sample.text);
  }
}

void check_refused(const type_shape& type, const std::string& bytes) {
  std::string out = "before";
  CAPTURE(type.reads_as, out);
  CHECK_FALSE(append_binary_text(out, type, bytes));
  CHECK(out == "before");
}

} // namespace

TEST_CASE("a scalar's binary form becomes PostgreSQL's text", "[model][unit]") {
  check_text(sized_scalars());
  check_text(unsized_scalars());
}

TEST_CASE("a container's binary form becomes PostgreSQL's text", "[model][unit]") {
  check_text(containers());
}

TEST_CASE("types whose text cannot be known from the value are refused", "[model][unit]") {
  constexpr std::uint32_t regclass = 2205;
  for (const std::uint32_t oid : {0U, 24U, regclass, 4096U, 16384U})
    check_refused(scalar(oid), wire_bytes{}.u32(1).str());
  check_refused({.kind = type_kind::composite},
                wire_bytes{}.u32(1).u32(regclass).u32(4).u32(1259).str());
  check_refused({.kind = type_kind::composite}, wire_bytes{}.u32(1).u32(16384).u32(1).u8(1).str());
}

TEST_CASE("bytes that no server sends for a type are refused", "[model][unit]") {
  check_refused(scalar(16), "\x02");
  check_refused(scalar(3802), "\x02{}");
  check_refused(scalar(1700), wire_bytes{}.u16(1).u16(0).u16(0).u16(0).u16(10'000).str());
  check_refused(scalar(1700), wire_bytes{}.u16(0).u16(0).u16(0x8000).u16(0).str());
  check_refused(scalar(1700), wire_bytes{}.u16(0).u16(0).u16(0).u16(0x4000).str());
  check_refused(scalar(1082), wire_bytes{}.u32(2'145'031'949).str());
  check_refused(scalar(1083), wire_bytes{}.u64(86'400'000'001).str());
  check_refused(scalar(1114), wire_bytes{}.u64(9'223'371'331'200'000'000).str());
  check_refused(scalar(1114), wire_bytes{}.u64(0x8000000000000001).str());
  check_refused(scalar(1266), wire_bytes{}.u64(0).u32(57'600).str());
  check_refused(scalar(869), wire_bytes{}.u8(2).u8(33).u8(0).u8(4).u32(0).str());
  check_refused(scalar(869), wire_bytes{}.u8(3).u8(32).u8(0).u8(4).u32(0).str());
  check_refused(scalar(602), wire_bytes{}.u8(0).u32(0).str());
}

TEST_CASE("search queries are refused unless they are one tree", "[model][unit]") {
  const auto word = wire_bytes{}.u8(1).u8(0).u8(0).text("a").str();
  check_refused(scalar(3615), wire_bytes{}.u32(1).u16(0x0201).str());
  check_refused(scalar(3615), wire_bytes{}.u32(2).u16(0x0202).raw(word).str());
  check_refused(scalar(3615), wire_bytes{}.u32(2).raw(word).raw(word).str());
  check_refused(scalar(3615), wire_bytes{}.u32(2).u16(0x0205).raw(word).str());
}

TEST_CASE("arrays are refused unless they hold what they announce", "[model][unit]") {
  const auto numbers = containing(type_kind::array, scalar(23));
  using dimensions = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  check_refused(numbers, array_of(23, dimensions(7, {1, 1})).u32(4).u32(7).str());
  check_refused(numbers, array_of(23, {{2, 1}}).u32(4).u32(7).str());
  check_refused(numbers, array_of(23, {{1, 1}}).u32(4).u32(7).u32(4).u32(8).str());
  check_refused(numbers, array_of(23, {{1, 1}}).u32(3).u32(7).str());
  check_refused(numbers, array_of(23, {{1, 1}}).u32(0xFFFFFFFE).u32(7).str());
  check_refused(numbers, array_of(23, {{0x10000, 1}, {0x10000, 1}}).u32(4).u32(7).str());
  check_refused(numbers, array_of(23, dimensions(6, {0xFFFFFFFF, 1})).u32(4).u32(7).str());
}

TEST_CASE("values may nest sixteen deep, and no deeper", "[model][unit]") {
  auto type = scalar(23);
  auto bytes = wire_bytes{}.u32(5).str();
  const auto nest = [&] {
    type = containing(type_kind::array, type);
    const auto length = static_cast<std::uint32_t>(bytes.size());
    bytes = array_of(23, {{1, 1}}).u32(length).raw(bytes).str();
  };
  nest();
  nest();
  std::string out;
  CHECK(append_binary_text(out, type, bytes));
  CHECK(out == R"({"{5}"})");
  for (int level = 3; level < 16; ++level)
    nest();
  CHECK(append_binary_text(out, type, bytes));
  nest();
  check_refused(type, bytes);
}

TEST_CASE("search queries may be as deep as they are long", "[model][unit]") {
  constexpr std::uint32_t depth = 200'000;
  wire_bytes bytes;
  bytes.u32(depth + 1);
  for (std::uint32_t level = 0; level < depth; ++level)
    bytes.u16(0x0201);
  std::string out;
  CHECK(append_binary_text(out, scalar(3615), bytes.u8(1).u8(0).u8(0).text("a").str()));
  CHECK(out == std::string(depth, '!') + "'a'");
}
