// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/batch.hpp"
#include "replicant/core/delivery/checkpoint_retry.hpp"
#include "replicant/core/delivery/sink.hpp"
#include "replicant/core/delivery/state_entry.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/session_identity.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace replicant {

/// What a checkpoint store holds for a slot.
struct stored_checkpoint {
  sink_checkpoint held; ///< empty: it has no row for this slot.
  /// Whose stream the position belongs to; nothing when there is no row.
  std::optional<session_identity> source{};
};

/// Keeps the position of a sink that cannot keep it by itself. It is written after the sink has
/// persisted, and acknowledged after that: what was persisted and not yet written comes again.
///
/// All calls come one at a time from one thread, and may block for as long as a network takes. Any
/// call may be repeated after a fault, whether it has had an effect or not.
/// @fault of every call: one that time cures (`is_worth_retrying`) is tried again; any other halts.
class checkpoint_store {
public:
  virtual ~checkpoint_store() = default;

  /// What is held. Creates nothing.
  /// @fault checkpoint_store_mismatch when what is there is not ours.
  [[nodiscard]] virtual result<stored_checkpoint> read() = 0;

  /// Sees to it that there is a row, without a position when it is new; durable on return.
  [[nodiscard]] virtual result<void> prepare(const session_identity& source) = 0;

  /// Stores the position and, with it, each of `changed` in the place of the one of its name;
  /// durable on return, all or nothing.
  /// @fault checkpoint_changed when the row is gone or holds a later position: somebody else has
  /// written it.
  [[nodiscard]] virtual result<void> write(watermark reached,
                                           std::span<const state_entry> changed) = 0;
};

/// Makes the store of one generation, on the thread that will use it.
using checkpoint_store_factory = std::function<std::unique_ptr<checkpoint_store>()>;

/// A pipeline's store, and when and how it is written.
struct checkpoint_keeping {
  checkpoint_store_factory make_store;
  checkpoint_retry retry{};
  std::optional<batch_delivery> batch{}; ///< Without: for every transaction.
};

} // namespace replicant
