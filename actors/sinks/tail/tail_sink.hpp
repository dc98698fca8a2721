// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/tail_view.hpp"
#include "replicant/core/delivery/sink.hpp"

#include <chrono>
#include <memory>
#include <utility>

namespace replicant {

/// Shows a stream to somebody who looks on and remembers nothing of it: meant for a temporary slot.
/// Only what has been written counts as delivered, so a reader that is slow slows the stream down.
class tail_sink final : public sink,
                        public session_sink,
                        public deferred_sink,
                        public frontier_sink,
                        public message_sink,
                        public schema_change_sink {
public:
  /// `view` goes on over all sinks of a pipeline.
  explicit tail_sink(std::shared_ptr<tail_view> view) : view_{std::move(view)} {}

  [[nodiscard]] result<void> handle_session_identity(const session_identity& identity) override {
    return view_->meet(identity);
  }

  [[nodiscard]] result<sink_checkpoint> checkpoint() override { return sink_checkpoint{}; }

  [[nodiscard]] result<void> handle_stream_start(stream_start /*how*/,
                                                 const session_identity& identity) override {
    return view_->begin_stream(identity);
  }

  [[nodiscard]] result<void> handle_transaction(const transaction& txn) override {
    return view_->show(txn);
  }

  [[nodiscard]] result<void> handle_message(const logical_message& message) override {
    return view_->show(message);
  }

  [[nodiscard]] result<void> handle_schema_change(const schema_change& what) override {
    view_->show(what);
    return {};
  }

  [[nodiscard]] result<void> handle_frontier(watermark reached) override {
    view_->reached(reached);
    return {};
  }

  [[nodiscard]] result<void> make_durable() override { return view_->flush(); }

  [[nodiscard]] std::chrono::milliseconds durability_interval() const override {
    return std::chrono::milliseconds{0};
  }

private:
  std::shared_ptr<tail_view> view_;
};

} // namespace replicant
