// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace replicant {

/// Appends the shortest text that reads back as `number`, as PostgreSQL writes a float8.
void append_float(std::string& out, double number);

/// The same for a float4.
void append_float(std::string& out, float number);

} // namespace replicant
