// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

namespace replicant::postgres {

/// Frames both ways over a connection on which START_REPLICATION has been answered. Never blocks,
/// except in `finish`.
class copy_stream {
public:
  /// `over` must outlive the stream.
  explicit copy_stream(connection& over);

  /// The next frame that is here, or nothing: then the socket tells when there is more, even under
  /// TLS. The view is valid until the next call.
  [[nodiscard]] result<std::optional<std::string_view>> next_frame();

  [[nodiscard]] result<void> send(std::string_view frame);

  [[nodiscard]] result<void> flush();

  /// Whether the socket did not take all that was sent.
  [[nodiscard]] bool unsent() const { return unsent_; }

  /// Says that we are done and reads on, discarding frames, until the server has said so too.
  void finish(deadline until);

private:
  struct releaser {
    void operator()(char* what) const;
  };

  [[nodiscard]] result<std::optional<std::string_view>> ending();
  [[nodiscard]] bool discard(deadline until);

  connection& over_;
  std::unique_ptr<char, releaser> frame_;
  bool encrypted_;
  bool has_read_ = false;   ///< Since there was last nothing to give.
  std::size_t brought_ = 0; ///< Bytes of the frames that the last read has brought.
  bool broken_ = false;
  bool ended_ = false;
  bool unsent_ = false;
};

} // namespace replicant::postgres
