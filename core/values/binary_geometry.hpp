// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/values/binary_printer.hpp"

namespace replicant {

// Each is a binary_printer of the type it is named for.

void print_point(std::string& out, byte_reader& in);
void print_line(std::string& out, byte_reader& in);
void print_lseg(std::string& out, byte_reader& in);
void print_box(std::string& out, byte_reader& in);
void print_path(std::string& out, byte_reader& in);
void print_polygon(std::string& out, byte_reader& in);
void print_circle(std::string& out, byte_reader& in);

} // namespace replicant
