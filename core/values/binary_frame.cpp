// SPDX-License-Identifier: MIT
#include "replicant/core/values/binary_frame.hpp"

#include "replicant/core/values/digits.hpp"

#include <algorithm>

namespace replicant {

array_frame::array_frame(byte_reader& in) {
  const std::size_t count = in.u32();
  const auto has_nulls = in.u32();
  // The OID of the elements: what they are is known from the shape, where domains are resolved.
  static_cast<void>(in.u32());
  if (count > dimensions_.size() || has_nulls > 1)
    in.fail();
  else
    count_ = count;
  for (auto& one : std::span{dimensions_}.first(count_))
    one = {.size = in.u32(), .first = in.i32()};
  if (!measure(in.left() / sizeof null_length))
    in.fail();
}

void array_frame::append_bounds(std::string& out) const {
  if (std::ranges::all_of(dimensions(), [](const auto& one) { return one.first == 1; }))
    return;
  for (const auto& one : dimensions()) {
    out += '[';
    append_decimal(out, one.first);
    out += ':';
    append_decimal(out, std::int64_t{one.first} + one.size - 1);
    out += ']';
  }
  out += '=';
}

std::size_t array_frame::braces_at(std::size_t index) const {
  return static_cast<std::size_t>(std::ranges::count_if(
    dimensions(), [index](const auto& one) { return index % one.elements == 0; }));
}

/// Counts the elements. @returns whether there are at most so many.
bool array_frame::measure(std::size_t most) {
  elements_ = count_ == 0 ? 0 : 1;
  for (auto index = count_; index-- > 0;) {
    auto& one = dimensions_.at(index);
    if (one.size > most)
      return false;
    elements_ *= one.size;
    if (elements_ > most)
      return false;
    one.elements = elements_;
  }
  return true;
}

} // namespace replicant
