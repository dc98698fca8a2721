// SPDX-License-Identifier: MIT
#include "replicant/actors/checkpoint_keeper.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace replicant {

namespace {

/// A store of a host's own may throw; nothing of the exception is looked at.
template <class Call>
auto caught(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (...) {
    return failure(reason::checkpoint_store_failed);
  }
}

} // namespace

checkpoint_keeper::checkpoint_keeper(std::unique_ptr<checkpoint_store> store,
                                     checkpoint_retry retry, std::stop_token stop,
                                     checkpoint_news tell)
  : retry_{retry}, stop_{std::move(stop)}, tell_{std::move(tell)}, store_{std::move(store)} {}

result<sink_checkpoint> checkpoint_keeper::open(const session_identity& source) {
  auto stored = persist([this] { return store_->read(); });
  if (!stored)
    return failure(stored.error());
  if (stored->source)
    if (auto same = judge_identity(source, same_as(*stored->source)); !same)
      return failure(same.error());
  return std::move(stored->held);
}

result<void> checkpoint_keeper::prepare(const session_identity& source) {
  return persist([&] { return store_->prepare(source); });
}

result<void> checkpoint_keeper::write(watermark reached, std::span<const state_entry> changed) {
  return persist([&] { return store_->write(reached, changed); });
}

template <class Call>
auto checkpoint_keeper::persist(Call call) -> decltype(call()) {
  fault last;
  for (std::uint32_t failures = 0;;) {
    auto done = caught(call);
    if (done) {
      if (failures > 0)
        tell_(0, last);
      return done;
    }
    last = done.error();
    const auto tries_again = retry_.tries_again(last, ++failures);
    // Given up by us and not by the store: as any server that is left behind, which halts nobody.
    if (tries_again && stop_.stop_requested())
      return failure(last);
    last = store_fault(last);
    if (!tries_again)
      return failure(last);
    tell_(failures, last);
    pause();
  }
}

/// Ends early when the pipeline is to end: one more attempt is made, and its failure is the last.
void checkpoint_keeper::pause() {
  std::mutex nobody_elses;
  std::unique_lock lock{nobody_elses};
  std::condition_variable_any never_notified;
  never_notified.wait_for(lock, stop_, retry_.backoff, [] { return false; });
}

} // namespace replicant
