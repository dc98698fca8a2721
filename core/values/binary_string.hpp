// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the types it tells of.

/// All types whose binary form is their text.
void print_text(std::string& out, byte_reader& in);

/// jsonb and jsonpath: their text behind a version number.
void print_versioned_text(std::string& out, byte_reader& in);

/// "char", the type of one byte. Beyond ASCII it is printed as servers from 16 on do, in octal;
/// earlier ones print the byte itself.
void print_char(std::string& out, byte_reader& in);

void print_bytea(std::string& out, byte_reader& in); ///< With bytea_output = hex.
void print_bit(std::string& out, byte_reader& in);   ///< Also varbit.
void print_uuid(std::string& out, byte_reader& in);

} // namespace replicant
