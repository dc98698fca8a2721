// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"
#include "replicant/core/values/temporal.hpp"

#include <chrono>

namespace replicant {

// Each reads the binary form of a value from the front of `in`, and fails it when a server can have
// no such value.

[[nodiscard]] date read_date(byte_reader& in);
[[nodiscard]] std::chrono::microseconds read_time(byte_reader& in); ///< Since midnight.
[[nodiscard]] zoned_time read_zoned_time(byte_reader& in);
[[nodiscard]] date_time read_date_time(byte_reader& in);
[[nodiscard]] instant read_instant(byte_reader& in);
[[nodiscard]] interval read_interval(byte_reader& in);

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
