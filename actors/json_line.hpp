// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace replicant {

/// A document as one line of JSON, without its end. Bytes that are no UTF-8 are replaced: names
/// that a server tells may hold any.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& document);

} // namespace replicant
