// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/tail/table_choice.hpp"
#include "replicant/actors/sinks/tail/tail_format.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"
#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/session_identity.hpp"
#include "replicant/core/model/transaction.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace replicant {

/// What a view is made of.
struct tail_setup {
  table_choice tables{{}};
  std::optional<std::uint64_t>
    most; ///< Changes and messages to show, at least one; nothing: no end.
  std::unique_ptr<tail_format> format;
  /// Writes all of a text. May block. @returns an errno, or 0.
  std::function<int(std::string_view)> write;
  /// Called once, when nothing more will be shown: enough was, or the reader has gone (EPIPE).
  std::function<void()> over;
};

/// What somebody who looks on is shown of a stream, over all its connections. One thread at a time.
///
/// Holds text until `flush`, but never more than a piece and one event. Once it is over, everything
/// is taken and nothing shown.
/// @fault sink_failed with the errno when the text cannot be written.
class tail_view {
public:
  explicit tail_view(tail_setup setup) : setup_{std::move(setup)} {}

  /// @fault session_identity_rejected when it is another server than before.
  [[nodiscard]] result<void> meet(const session_identity& source);

  /// A stream begins. Where, is what the next `reached` tells.
  [[nodiscard]] result<void> begin_stream(const session_identity& source);

  /// Everything up to `position` has been seen.
  void reached(watermark position);

  [[nodiscard]] result<void> show(const transaction& txn);
  [[nodiscard]] result<void> show(const logical_message& one);
  void show(const schema_change& what);

  [[nodiscard]] result<void> flush();

private:
  [[nodiscard]] bool is_wanted(const event& one) const;
  [[nodiscard]] shown_part part_of(const transaction& txn) const;
  [[nodiscard]] result<void> show(const transaction& txn, const shown_part& part);
  [[nodiscard]] result<void> use_up(std::uint64_t shown);
  void remember(watermark position);
  void end();

  tail_setup setup_;
  std::string text_;
  std::optional<session_identity> source_;
  std::optional<watermark> seen_;
  timestamp seen_at_{};
  bool begins_ = false; ///< The origin of the stream has not been told yet.
  bool over_ = false;
};

} // namespace replicant
