// SPDX-License-Identifier: MIT
#include "replicant/actors/json_line.hpp"

#include <nlohmann/json.hpp>

namespace replicant {

std::string json_line(const nlohmann::ordered_json& document) {
  constexpr int on_one_line = -1;
  return document.dump(on_one_line, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace replicant
