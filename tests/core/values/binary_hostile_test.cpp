// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_text.hpp"
#include "replicant/tests/core/values/binary_samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>

using namespace replicant;
using namespace replicant::test;

namespace {

/// Reads a copy that ends where its memory ends, so that the sanitizer sees a read behind it.
bool read(const type_shape& type, std::string_view bytes, std::string& out) {
  const auto copy = std::make_unique<char[]>(bytes.size());
  std::ranges::copy(bytes, copy.get());
  return append_binary_text(out, type, {copy.get(), bytes.size()});
}

std::vector<binary_sample> all_samples() {
  auto all = sized_scalars();
  for (const auto& more : {unsized_scalars(), containers()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// What is read is read whole or not at all. @returns whether it was.
bool survives(const type_shape& type, std::string_view bytes) {
  std::string out = "before";
  const auto known = read(type, bytes, out);
  const auto kept = known ? out.starts_with("before") : out == "before";
  if (!kept)
    FAIL("what stood there before was touched");
  return known;
}

} // namespace

TEST_CASE("a value that is cut off or goes on is refused", "[model][unit]") {
  auto samples = sized_scalars();
  const auto more = containers();
  samples.insert(samples.end(), more.begin(), more.end());
  for (const auto& sample : samples) {
    CAPTURE(sample.type.reads_as, sample.text);
    REQUIRE(survives(sample.type, sample.bytes));
    for (std::size_t length = 0; length < sample.bytes.size(); ++length)
      REQUIRE_FALSE(survives(sample.type, std::string_view{sample.bytes}.substr(0, length)));
    REQUIRE_FALSE(survives(sample.type, sample.bytes + '\0'));
  }
}

TEST_CASE("changed bytes are read as something else or refused", "[model][unit]") {
  std::mt19937 random{20260715};
  std::size_t refused = 0;
  for (const auto& sample : all_samples())
    for (int count = 0; count < 2000; ++count) {
      auto bytes = sample.bytes;
      for (auto changes = 1 + random() % 3; changes > 0; --changes)
        bytes[random() % bytes.size()] = static_cast<char>(random() % 4 == 0 ? 0xFF : random());
      refused += survives(sample.type, bytes) ? 0 : 1;
    }
  CHECK(refused > 0);
}

TEST_CASE("bytes by chance are read as something or refused", "[model][unit]") {
  std::mt19937 random{20260716};
  std::size_t refused = 0;
  for (const auto& sample : all_samples())
    for (int count = 0; count < 500; ++count) {
      std::string bytes(random() % 64, '\0');
      // Mostly zeros, so that counts are small.
      std::ranges::generate(bytes,
                            [&] { return static_cast<char>(random() % 3 == 0 ? random() : 0); });
      refused += survives(sample.type, bytes) ? 0 : 1;
    }
  CHECK(refused > 0);
}
