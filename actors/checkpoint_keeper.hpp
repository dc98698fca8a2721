// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/checkpoint_retry.hpp"
#include "replicant/core/delivery/checkpoint_store.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>

namespace replicant {

/// Hears of every attempt that failed and is repeated, with how many did so in a row; then with
/// zero and the last of them, when one succeeds.
using checkpoint_news = std::function<void(std::uint32_t failures, const fault& last)>;

/// A checkpoint store with patience: a call that fails for a reason which time cures is repeated,
/// and blocks as long. Not an actor: it lives in the thread of the SINK, which must not go on
/// before the position is stored.
class checkpoint_keeper {
public:
  /// When `stop` is requested, one more attempt is made at most, without a pause.
  checkpoint_keeper(std::unique_ptr<checkpoint_store> store, checkpoint_retry retry,
                    std::stop_token stop, checkpoint_news tell);

  /// What is held, if it is of the same source. Creates nothing.
  /// @fault session_identity_rejected, checkpoint_store_mismatch, checkpoint_store_failed; the
  /// store's own, when only `stop` has kept it from being tried again.
  [[nodiscard]] result<sink_checkpoint> open(const session_identity& source);

  /// As `checkpoint_store::prepare` and `write`. @fault also as `open`.
  [[nodiscard]] result<void> prepare(const session_identity& source);
  [[nodiscard]] result<void> write(watermark reached, std::span<const state_entry> changed);

private:
  template <class Call>
  auto persist(Call call) -> decltype(call());
  void pause();

  checkpoint_retry retry_;
  std::stop_token stop_;
  checkpoint_news tell_;
  std::unique_ptr<checkpoint_store> store_;
};

} // namespace replicant
