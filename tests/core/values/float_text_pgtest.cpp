// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_server.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using namespace replicant;
using namespace replicant::test;

namespace {

/// Numbers to ask a server about, each as a string constant that reads as it.
class number_list {
public:
  template <class Number>
  void add(Number number) {
    if (!std::isfinite(number))
      return;
    std::array<char, 40> text{};
    auto* const end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::scientific,
                    std::numeric_limits<Number>::max_digits10 - 1)
        .ptr;
    add_text({text.data(), end});
  }

  void add_text(const std::string& text) {
    text_ += text_.empty() ? "'" : ",'";
    text_ += text + "'";
  }

  [[nodiscard]] const std::string& text() const { return text_; }

private:
  std::string text_;
};

/// A number and those beside it.
template <class Number>
void add_around(number_list& list, Number number) {
  list.add(number);
  list.add(-number);
  list.add(std::nextafter(number, Number{0}));
  list.add(std::nextafter(number, std::numeric_limits<Number>::infinity()));
}

/// Decimals half way between two numbers with `digits` binary digits: odd multiples of half the
/// distance, which are the only ones that need a digit more.
template <class Number>
void add_ties(number_list& list, std::mt19937_64& random) {
  constexpr auto digits = std::numeric_limits<Number>::digits;
  std::uint64_t power_of_5 = 1;
  for (int power = 0; power_of_5 >> (digits + 1) == 0; ++power, power_of_5 *= 5)
    for (int count = 0; count < 40; ++count) {
      const auto first = (std::uint64_t{1} << digits) / power_of_5 + 1;
      std::uniform_int_distribution<std::uint64_t> any{first, 2 * first};
      const auto odd = any(random) | 1U;
      list.add_text(std::to_string(odd << random() % 3) + "e" + std::to_string(power));
    }
}

template <class Number, class Bits>
void check(value_server& server, const char* type) {
  using limits = std::numeric_limits<Number>;
  std::mt19937_64 random{20260715};
  number_list list;
  for (const auto* text : {"0", "-0", "NaN", "Infinity", "-Infinity"})
    list.add_text(text);
  for (int power = limits::min_exponent - limits::digits; power < limits::max_exponent; ++power)
    add_around(list, std::ldexp(Number{1}, power));
  for (int power = limits::min_exponent10 - limits::digits10; power <= limits::max_exponent10;
       ++power)
    for (const auto* digit : {"1e", "5e", "9.5e"}) {
      const auto text = digit + std::to_string(power);
      Number number{};
      std::from_chars(text.data(), text.data() + text.size(), number);
      add_around(list, number);
    }
  for (int count = 0; count < 10'000; ++count)
    list.add(std::bit_cast<Number>(static_cast<Bits>(random())));
  add_ties<Number>(list, random);
  server.check({type, "", list.text()});
}

} // namespace

TEST_CASE("floats of any size have the digits that the server gives them", "[model][postgres]") {
  value_server server;
  check<double, std::uint64_t>(server, "float8");
  check<float, std::uint32_t>(server, "float4");
}
