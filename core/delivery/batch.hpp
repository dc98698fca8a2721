// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/delivery.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/moment.hpp"
#include "replicant/core/model/transaction.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace replicant {

/// What a host asks of batches ([pipeline.batch_delivery]).
struct batch_delivery {
  std::uint32_t max_transactions = 100;
  std::chrono::milliseconds max_delay{1000}; ///< From the transaction that opens a batch.

  friend bool operator==(const batch_delivery&, const batch_delivery&) = default;
};

/// When a batch may wait no longer. All but the delay are derived from the credit, so that a batch
/// never holds what reading needs.
struct batch_limits {
  static constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t transactions = unlimited;
  std::uint64_t span = unlimited;  ///< Bytes of WAL from its first transaction on.
  std::uint64_t bytes = unlimited; ///< Payload of the deliveries that are through.
  std::chrono::milliseconds delay{0};

  /// Of a sink that takes batches: a quarter of the credit as WAL, half of it as payload.
  [[nodiscard]] static batch_limits for_batches(const batch_delivery& asked,
                                                std::uint64_t max_inflight_bytes);

  /// Of a checkpoint store that is written for `asked` transactions at once, or else for each.
  [[nodiscard]] static batch_limits for_checkpoints(const std::optional<batch_delivery>& asked,
                                                    std::uint64_t max_inflight_bytes);

  /// Of a sink that syncs what it has taken every `interval`: half of the credit as payload.
  [[nodiscard]] static batch_limits for_syncs(std::chrono::milliseconds interval,
                                              std::uint64_t max_inflight_bytes);
};

/// What a sink has been given, or is about to be given, and what is not durable yet. It is settled
/// in one step; this decides when.
///
/// A sink that is durable on return never lets anything wait, so each delivery is settled at its
/// end. For one that syncs now and then every delivery waits, and for one that takes batches every
/// transaction. Until it is settled nothing of it is promised, and it keeps alive what it holds. A
/// transaction that was spilled is a batch of its own, so that its disk is free soon.
class batch {
public:
  explicit batch(const batch_limits& limits = {}) : limits_{limits} {}

  /// Keeps a transaction for the sink. The delivery that it is part of has to live until
  /// `complete`.
  void hold(const transaction& txn, moment now);

  /// The sink has taken a transaction whose position is still to be stored.
  void take(const transaction& txn, moment now);

  /// The sink has taken something that waits to be made durable.
  void wait(moment now);

  /// Whether the batch has to be settled before `next` is handed over or held: it is full, `next`
  /// stands outside of transactions, and so follows all that came before it, or it was spilled.
  [[nodiscard]] bool precedes(const delivery_item& next) const;

  /// Keeps an idle position behind the transactions it must not overtake.
  /// @returns whether it was kept; if not, no transaction is held and it can go at once.
  [[nodiscard]] bool hold_back(watermark frontier);

  /// All of a delivery has been handed over or is held.
  void complete(const std::shared_ptr<const delivery>& content);

  /// A bound is reached: to be settled before another transaction, or when the delivery is through.
  [[nodiscard]] bool full() const;

  /// Whether there is a reason to wait. Otherwise it is to be settled when the delivery is through.
  [[nodiscard]] bool may_wait() const { return since_ && !full(); }

  /// When it is to be settled at the latest. Only while it may wait.
  [[nodiscard]] moment due() const { return *since_ + limits_.delay; }

  /// Nothing is held, waits or is to be promised.
  [[nodiscard]] bool empty() const { return !since_ && !reached_; }

  /// The transactions held, in commit order.
  [[nodiscard]] std::span<const transaction> transactions() const { return transactions_; }

  /// The latest idle position held back, if it lies behind all transactions.
  [[nodiscard]] std::optional<watermark> frontier() const { return frontier_; }

  /// What is promised once all of this is durable. Only while it is not empty.
  [[nodiscard]] watermark reached() const { return reached_.value_or(watermark{}); }

  /// What is promised now.
  struct settled {
    watermark reached{};
    std::uint64_t bytes = 0;   ///< Payload to be released.
    std::uint64_t spilled = 0; ///< Payload that was released when it was spilled.
  };

  /// Everything has become durable. The batch is empty afterwards.
  settled close();

private:
  batch_limits limits_;
  std::vector<transaction> transactions_;
  std::vector<std::shared_ptr<const delivery>> sources_; ///< Of `transactions_`.
  std::uint64_t count_ = 0;                              ///< Of transactions held or taken.
  bool spilled_ = false;                                 ///< One of them was; it is the only one.
  lsn first_{};                                          ///< The commit of the first of them.
  std::optional<watermark> frontier_;
  std::optional<watermark> reached_;
  std::uint64_t bytes_ = 0;
  std::uint64_t spilled_bytes_ = 0;
  std::optional<moment> since_; ///< When something began to wait.
};

} // namespace replicant
