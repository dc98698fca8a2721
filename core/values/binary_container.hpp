// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/byte_reader.hpp"
#include "replicant/core/values/type_shape.hpp"

#include <string>

namespace replicant {

/// As a binary_printer, for a value of any type; containers call it for what is in them. Fails `in`
/// when more than `levels` values would be nested in each other.
void print_value(std::string& out, const type_shape& type, byte_reader& in, int levels);

} // namespace replicant
