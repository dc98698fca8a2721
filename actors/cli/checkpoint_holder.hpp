// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/checkpoint_table.hpp"
#include "replicant/config/settings.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/session_identity.hpp"

#include <memory>
#include <optional>
#include <string>

namespace replicant::cli {

/// A position that outlives the program.
struct held_position {
  std::optional<session_identity> source; ///< Whose; nothing: nothing is held.
  std::optional<watermark> durable;
  std::string details; ///< More for people: "closed files: 2".
};

/// Where a pipeline keeps its position, for a person who changes that while nothing runs.
class checkpoint_holder {
public:
  virtual ~checkpoint_holder() = default;

  /// For people: "the file /var/lib/replicant/shop.jsonl".
  [[nodiscard]] virtual std::string where() const = 0;

  /// What becomes of what is held, for people, when it is replaced or forgotten.
  [[nodiscard]] virtual std::string what_becomes() const = 0;

  /// @fault why it cannot be read. With sink_unreadable, a file that is damaged or a set that is
  /// not whole, it can be replaced and forgotten all the same; with any other it can be neither.
  [[nodiscard]] virtual result<held_position> look() = 0;

  /// Whether somebody is at work on it. @fault sink_locked; sink_failed.
  [[nodiscard]] virtual result<void> expect_free() = 0;

  /// Holds from now on what was delivered of `source` up to `reached`, and nothing of before.
  /// @returns what was kept of before, for people; empty for nothing.
  [[nodiscard]] virtual result<std::string> replace(const session_identity& source,
                                                    watermark reached) = 0;

  /// Holds nothing from now on. @returns as `replace`.
  [[nodiscard]] virtual result<std::string> forget() = 0;
};

/// @returns nullptr for a pipeline that keeps no position.
[[nodiscard]] std::unique_ptr<checkpoint_holder> holder_of(const pipeline_settings& pipeline);

/// The store of a pipeline that has one.
[[nodiscard]] postgres::checkpoint_table store_of(const pipeline_settings& pipeline);

} // namespace replicant::cli
