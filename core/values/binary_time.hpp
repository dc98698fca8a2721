// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the type it is named for, in DateStyle ISO, IntervalStyle postgres
// and TimeZone UTC.

void print_date(std::string& out, byte_reader& in);
void print_time(std::string& out, byte_reader& in);
void print_timetz(std::string& out, byte_reader& in);
void print_timestamp(std::string& out, byte_reader& in);
void print_timestamptz(std::string& out, byte_reader& in);

/// Servers before 17 print the largest and the smallest interval as numbers, later ones as
/// infinite; so does this.
void print_interval(std::string& out, byte_reader& in);

} // namespace replicant
