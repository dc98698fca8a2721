// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/open_memory.hpp"

#include <algorithm>
#include <numeric>

namespace replicant {

namespace {

constexpr auto resident_of = [](const open_transaction* one) {
  return one->body->resident_bytes();
};

fault about(reason why, const open_transaction& one, std::uint64_t limit) {
  return {.why = why,
          .facts = {fact{fact_kind::transaction_id, one.xid}, fact{fact_kind::limit, limit}}};
}

} // namespace

std::uint64_t resident_bytes(std::span<open_transaction* const> open) {
  return std::transform_reduce(open.begin(), open.end(), std::uint64_t{0}, std::plus{},
                               resident_of);
}

result<void> open_memory::make_room(std::span<open_transaction* const> open,
                                    assembly_news& news) const {
  if (!area_)
    return judge_unspilled(open);
  while (resident_bytes(open) > limit_ / 2) {
    auto& largest = **std::ranges::max_element(open, {}, resident_of);
    if (waits_for_delivery(open, largest.body->resident_bytes()))
      return {};
    const auto first = !largest.body->spilled();
    const auto written = largest.body->spill(*area_, largest.xid);
    if (!written)
      return failure(written.error());
    news.spills += first && largest.body->spilled() ? 1 : 0;
    news.spill_written += *written;
  }
  return {};
}

/// What was rolled back needs no memory, but is only looked for when there is need.
result<void> open_memory::judge_unspilled(std::span<open_transaction* const> open) const {
  if (resident_bytes(open) <= limit_)
    return {};
  for (auto* const one : open)
    one->body->compact();
  const auto events =
    std::transform_reduce(open.begin(), open.end(), std::size_t{0}, std::plus{},
                          [](const open_transaction* one) { return one->body->size(); });
  if (resident_bytes(open) <= limit_ || events <= 1)
    return {};
  const auto& largest = **std::ranges::max_element(open, {}, resident_of);
  return failure(about(reason::transaction_too_large, largest, limit_));
}

/// Whether there would be room on disk but for transactions that are being delivered: their files
/// go soon, and reading rests meanwhile because all of the credit is in use.
bool open_memory::waits_for_delivery(std::span<open_transaction* const> open,
                                     std::uint64_t more) const {
  const auto spilled =
    std::transform_reduce(open.begin(), open.end(), std::uint64_t{0}, std::plus{},
                          [](const open_transaction* one) { return one->body->spilled_bytes(); });
  return area_->bytes() + more > area_->limit() && spilled + more <= area_->limit();
}

} // namespace replicant
