// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/delivery/chunk.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/moment.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

namespace replicant {

/// Gathers frames into chunks and folds keepalives into marks.
///
/// A mark says that everything which starts below it has been sent before, so it stays true when it
/// is put in later: a flood of keepalives becomes the latest position, at most once per
/// `mark_pace`, behind the data.
class intake {
public:
  /// Marks reach a sink's storage, so they are paced; a server that waits for one is served at
  /// once.
  static constexpr auto mark_pace = std::chrono::milliseconds{1000};

  explicit intake(moment now) : last_mark_{now - mark_pace} {}

  /// Adds an XLogData frame.
  void add(std::string_view frame) { current_->append(frame); }

  /// Notes how far the server has come without anything for us. `urgent`: it waits for the answer.
  void mark(watermark reached, bool urgent);

  [[nodiscard]] bool full() const { return current_->full(); }

  /// Whether frames have been gathered.
  [[nodiscard]] bool holds_frames() const { return current_->has_frames(); }

  /// What has been gathered, with the mark if one is due; null when there is nothing to send.
  /// `idle`: nothing is in flight, so that an urgent mark can be answered at once.
  [[nodiscard]] std::shared_ptr<const chunk> take(moment now, bool idle);

  /// When a waiting mark becomes due; nothing when none waits.
  [[nodiscard]] std::optional<moment> next_deadline() const;

private:
  std::shared_ptr<chunk> current_ = std::make_shared<chunk>();
  std::optional<watermark> waiting_;
  watermark marked_{};
  bool urgent_ = false;
  moment last_mark_;
};

} // namespace replicant
