// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/assembler.hpp"
#include "replicant/core/delivery/chunk.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::bench {

/// What a server has sent for a part of one of the backlogs that drain.sh drains: the XLogData
/// frames, with the rows of a large transaction repeated.
struct backlog {
  std::vector<std::string> frames;
  std::vector<std::shared_ptr<const chunk>>
    chunks; ///< The same frames, as the connection cuts them.
  std::size_t rows = 0;
  std::size_t bytes = 0; ///< Of all frames.
};

/// Loads bench/fixtures/<name>.frames. A recorded transaction of many rows is made to have about
/// `rows` of them; single-row transactions stay as they are.
[[nodiscard]] backlog load_backlog(std::string_view name, std::size_t rows);

/// The payload of an XLogData frame.
[[nodiscard]] inline std::string_view payload_of(std::string_view frame) {
  constexpr std::size_t header = 25;
  return frame.substr(header);
}

/// The transactions that the backlog makes up, assembled by these rules; they keep it alive.
[[nodiscard]] std::vector<transaction> transactions_of(const backlog& source,
                                                       const open_rules& rules = {});

} // namespace replicant::bench
