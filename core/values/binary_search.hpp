// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the type it is named for.

void print_tsvector(std::string& out, byte_reader& in);
void print_tsquery(std::string& out, byte_reader& in);

} // namespace replicant
