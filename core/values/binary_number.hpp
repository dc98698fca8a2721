// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the type it is named for.

void print_bool(std::string& out, byte_reader& in);
void print_int2(std::string& out, byte_reader& in);
void print_int4(std::string& out, byte_reader& in);
void print_int8(std::string& out, byte_reader& in);
void print_oid(std::string& out, byte_reader& in); ///< Also xid and cid.
void print_xid8(std::string& out, byte_reader& in);
void print_float4(std::string& out, byte_reader& in);
void print_float8(std::string& out, byte_reader& in);
void print_numeric(std::string& out, byte_reader& in);
void print_money(std::string& out, byte_reader& in); ///< In the locale C.

} // namespace replicant
