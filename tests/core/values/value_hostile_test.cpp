// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>

using namespace replicant;
using namespace replicant::test;

namespace {

/// Asks everything of a copy that ends where its memory ends, so that the sanitizer sees a read
/// behind it, and of all that is in it. @returns how much was answered.
std::size_t read_all(const value& v) {
  const auto& [kind, bytes] = v.content();
  const auto copy = std::make_unique<char[]>(bytes.size());
  std::ranges::copy(bytes, copy.get());
  const value own{{kind, {copy.get(), bytes.size()}}, v.type()};
  auto count = answers(own).size();
  std::string out;
  if (const auto number = own.as_numeric()) {
    number->append_text(out);
    number->append_digits(out);
    static_cast<void>(number->unscaled());
  }
  if (const auto bits = own.as_bits())
    for (std::size_t index = 0; index < bits->size(); ++index)
      count += (*bits)[index] ? 1 : 0;
  if (const auto list = own.as_array())
    for (const auto& one : list->elements())
      count += read_all(one);
  if (const auto range = own.as_range())
    for (const auto& bound : {range->lower(), range->upper()})
      count += bound ? read_all(bound->at) : 0;
  if (const auto ranges = own.as_multirange())
    for (const auto& one : *ranges)
      count += read_all(one);
  return count;
}

/// A changed copy, mostly with bytes that stand in it or mean something.
std::string changed(std::string bytes, std::mt19937& random) {
  constexpr std::string_view meaning = "{}[](),:;\"\\-+. 09tNx";
  for (auto changes = 1 + random() % 3; changes > 0 && !bytes.empty(); --changes) {
    const auto at = random() % bytes.size();
    switch (random() % 4) {
      case 0: bytes[at] = static_cast<char>(random()); break;
      case 1: bytes[at] = meaning[random() % meaning.size()]; break;
      case 2: bytes.erase(at, 1 + random() % 3); break;
      default: bytes.insert(at, bytes.substr(random() % bytes.size(), 1 + random() % 4)); break;
    }
  }
  return bytes;
}

} // namespace

TEST_CASE("changed texts are read as something else or as nothing", "[model][unit]") {
  std::mt19937 random{20260717};
  std::size_t read = 0;
  for (const auto& [type, text] : printed_values())
    for (int count = 0; count < 3000; ++count)
      read += read_all(of_text(changed(text, random), type));
  for (const auto& sample : containers())
    for (int count = 0; count < 3000; ++count) {
      const auto text = changed(sample.text, random);
      read += read_all({{cell_kind::text, text}, sample.type});
    }
  CHECK(read > 0);
}

TEST_CASE("changed binary values are read as something else or as nothing", "[model][unit]") {
  std::mt19937 random{20260718};
  std::size_t read = 0;
  for (const auto& samples : {sized_scalars(), unsized_scalars(), containers()})
    for (const auto& sample : samples)
      for (int count = 0; count < 3000; ++count) {
        const auto bytes = changed(sample.bytes, random);
        read += read_all({{cell_kind::binary, bytes}, sample.type});
      }
  CHECK(read > 0);
}

TEST_CASE("a binary value that is cut off or goes on is nothing", "[model][unit]") {
  for (const auto& samples : {sized_scalars(), containers()})
    for (const auto& sample : samples) {
      CAPTURE(sample.type.reads_as, sample.text);
      const auto answered = [&](std::string_view bytes) {
        return read_all({{cell_kind::binary, bytes}, sample.type});
      };
      for (std::size_t length = 0; length < sample.bytes.size(); ++length)
        REQUIRE(answered(std::string_view{sample.bytes}.substr(0, length)) == 0);
      REQUIRE(answered(sample.bytes + '\0') == 0);
    }
}

TEST_CASE("a binary value that no server can have is nothing", "[model][unit]") {
  const auto nothing = [](std::uint32_t type, const std::string& bytes) {
    CAPTURE(type);
    CHECK(answers({{cell_kind::binary, bytes}, type}).empty());
  };
  nothing(16, "\x02");
  nothing(3802, "\x02{}");
  nothing(1700, wire_bytes{}.u16(1).u16(0).u16(0).u16(0).u16(10'000).str());
  nothing(1700, wire_bytes{}.u16(0).u16(0).u16(0x8000).u16(0).str());
  nothing(1082, wire_bytes{}.u32(2'145'031'949).str());
  nothing(1083, wire_bytes{}.u64(86'400'000'001).str());
  nothing(1114, wire_bytes{}.u64(9'223'371'331'200'000'000).str());
  nothing(1266, wire_bytes{}.u64(0).u32(57'600).str());
  nothing(1007, array_of(23, {{0x10000, 1}, {0x10000, 1}}).u32(4).u32(7).str());
  nothing(3904, std::string(1, 32));
  nothing(4451, wire_bytes{}.u32(0xFFFFFFFF).str());
}
