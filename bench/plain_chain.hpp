// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/bench/gate.hpp"
#include "replicant/core/delivery/chunk.hpp"

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace replicant::bench {

/// Three bare actors, placed as ours are, which hand chunks from one to the next, over and over,
/// with at most `credit` bytes under way. Lives as long as this object.
class plain_chain {
public:
  /// Opens `done` whenever all of `chunks` have come to the end once more. Both have to outlive the
  /// actor system.
  plain_chain(caf::actor_system& system, const std::vector<std::shared_ptr<const chunk>>& chunks,
              std::uint64_t credit, gate& done);

  plain_chain(const plain_chain&) = delete;
  plain_chain& operator=(const plain_chain&) = delete;
  ~plain_chain();

private:
  caf::actor last_;
  caf::actor middle_;
  caf::actor first_;
};

} // namespace replicant::bench
