// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_samples.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <new>

using namespace replicant;
using namespace replicant::test;

namespace {

/// Allocations of this thread.
thread_local std::size_t allocations = 0;

bool is_scalar(std::uint32_t type) {
  return built_in_type(type)->kind == type_kind::scalar;
}

/// Asks for the value of a scalar by every getter. @returns how often something was allocated.
std::size_t allocations_of(const value& v, std::string& memory) {
  const auto before = allocations;
  const auto read =
    v.as_bool().has_value() + v.as_int64().has_value() + v.as_uint64().has_value() +
    v.as_double().has_value() + v.as_numeric().has_value() + v.as_money().has_value() +
    v.as_text().has_value() + v.as_char().has_value() + v.as_bytes(memory).has_value() +
    v.as_bits().has_value() + v.as_uuid().has_value() + v.as_lsn().has_value() +
    v.as_date().has_value() + v.as_time().has_value() + v.as_timetz().has_value() +
    v.as_timestamp().has_value() + v.as_timestamptz().has_value() + v.as_interval().has_value();
  const auto after = allocations;
  CHECK(read == 1);
  return after - before;
}

} // namespace

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

void* operator new(std::size_t size) {
  if (auto* const memory = operator new(size, std::nothrow))
    return memory;
  throw std::bad_alloc{};
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

TEST_CASE("no getter of a scalar allocates", "[model][unit]") {
  std::string memory(64, ' ');
  for (const auto& [type, text] : printed_values())
    if (is_scalar(type)) {
      CAPTURE(type, text);
      CHECK(allocations_of(of_text(text, type), memory) == 0);
    }
  for (const auto& sample : sized_scalars()) {
    const value v{{cell_kind::binary, sample.bytes}, sample.type};
    if (answers(v).empty())
      continue;
    CAPTURE(sample.type.reads_as, sample.text);
    CHECK(allocations_of(v, memory) == 0);
  }
}

TEST_CASE("an array allocates for itself and not for each element", "[model][unit]") {
  std::string literal = "{";
  for (int count = 0; count < 1000; ++count)
    literal += R"("with \" and \\ in it",)";
  literal.back() = '}';
  const auto text = of_text(literal, 1009); // Also makes the table of types, when it is the first.
  const auto before = allocations;
  const auto list = text.as_array();
  const auto after = allocations;
  CHECK(list.value().elements().size() == 1000);
  CHECK(after - before > 0);
  CHECK(after - before < 30);
}
