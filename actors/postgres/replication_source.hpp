// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"
#include "replicant/actors/postgres/copy_stream.hpp"
#include "replicant/actors/postgres/interrupt.hpp"
#include "replicant/actors/postgres/readiness.hpp"
#include "replicant/actors/postgres/slot_inquiry.hpp"
#include "replicant/core/model/slot_lifetime.hpp"
#include "replicant/core/protocol/replication_source.hpp"

#include <optional>
#include <string>
#include <vector>

namespace replicant::postgres {

/// What a source is made of.
struct source_options {
  std::string conninfo; ///< As libpq takes it, keyword string or URI; a secret.
  std::string slot_name;
  std::vector<std::string> publications; ///< Any names.
  bool messages = false;                 ///< Logical messages too.
  bool binary = false;                   ///< Values in binary form, for types that have one.
  slot_lifetime slot = slot_lifetime::permanent;
};

/// The replication connection to a real server, and its companion session (see `open_companion`).
///
/// A blocking call that was interrupted fails with `connection_lost`. An interrupted `create_slot`
/// is cancelled on the server, so that it leaves no slot behind when it was still waiting; that
/// takes the companion session, so a user who may have one session only has no such protection.
/// Looking up a host's name cannot be interrupted. `notify` runs its callback on a thread of the
/// source. Under the hood there is one such thread, one libpq connection and, where the server
/// allows it, one more.
class postgres_source final : public replication_source {
public:
  /// @throws std::system_error when the process has no file descriptor left.
  explicit postgres_source(source_options options);

  [[nodiscard]] result<source_facts> connect() override;
  [[nodiscard]] result<lsn> create_slot() override;
  [[nodiscard]] result<void> start(lsn from, bool streaming) override;
  [[nodiscard]] result<std::optional<std::string_view>> next_frame() override;
  [[nodiscard]] result<void> send(std::string_view frame) override;
  [[nodiscard]] result<void> flush() override;
  [[nodiscard]] std::chrono::microseconds gathering_limit() const override;
  void let_gather(std::chrono::microseconds span) override;
  void notify(bool reading, std::function<void()> ready) override;
  [[nodiscard]] bool server_is_leaving() override;
  void ask_of_slot() override;
  [[nodiscard]] std::optional<slot_standing> slot_answer() override;
  void finish(std::chrono::milliseconds patience) override;
  void interrupt() override;

private:
  void look_for_identities(source_facts& facts);

  source_options options_;
  interrupt_flag interrupt_;
  std::optional<connection> replication_;
  std::optional<connection> companion_;
  slot_inquiry inquiry_; ///< In the companion session.
  std::optional<copy_stream> stream_;
  bool reading_ = true; ///< What `notify` was told last.
  bool leaving_ = false;
  readiness readiness_; ///< Last, so that it ends before the sockets it watches.
};

} // namespace replicant::postgres
