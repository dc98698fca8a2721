// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"
#include "replicant/core/model/slot_standing.hpp"

#include <optional>
#include <string_view>

namespace replicant::postgres {

/// A slot's standing from an answer to `slot_standing_query`; nothing when there is no such slot.
[[nodiscard]] std::optional<slot_standing> slot_standing_of(const rows& answer);

/// Asks in an ordinary session how much WAL a slot holds back, without ever waiting for the answer.
class slot_inquiry {
public:
  /// Does nothing while an answer is awaited.
  void ask(connection& session, std::string_view slot);

  /// The answer, once, when all of it has come.
  [[nodiscard]] std::optional<slot_standing> answer(connection& session);

private:
  bool asked_ = false;
  std::optional<slot_standing> found_;
};

} // namespace replicant::postgres
