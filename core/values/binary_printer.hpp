// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/byte_reader.hpp"

#include <string>

namespace replicant {

/// Appends PostgreSQL's text of the value whose binary form is all of `in`.
///
/// Fails `in` when that is not the binary form of such a value; the caller also counts bytes left
/// over as a failure. What was appended until then means nothing.
using binary_printer = void (*)(std::string& out, byte_reader& in);

} // namespace replicant
