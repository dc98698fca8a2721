// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the type it is named for.

void print_inet(std::string& out, byte_reader& in); ///< Also cidr: the bytes say which it is.
void print_macaddr(std::string& out, byte_reader& in);
void print_macaddr8(std::string& out, byte_reader& in);

} // namespace replicant
