// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the type it is named for.

void print_tid(std::string& out, byte_reader& in);
void print_pg_lsn(std::string& out, byte_reader& in);
void print_pg_snapshot(std::string& out, byte_reader& in); ///< Also txid_snapshot.
void print_int2vector(std::string& out, byte_reader& in);
void print_oidvector(std::string& out, byte_reader& in);

} // namespace replicant
