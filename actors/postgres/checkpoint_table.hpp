// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/kept_session.hpp"
#include "replicant/core/delivery/checkpoint_query.hpp"
#include "replicant/core/delivery/checkpoint_store.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace replicant::postgres {

/// A checkpoint in a table, with what only people ask for.
struct tabled_checkpoint {
  stored_checkpoint stored;
  std::string updated_at; ///< ISO 8601 in UTC; empty without a row.
};

/// A checkpoint store in two tables of a PostgreSQL server: one row for each slot, and the state
/// beside it in `<table>_state`.
///
/// The tables are made by the first `prepare`; until then nothing is there, and whatever else is
/// found under their names is refused and left alone. A write is one statement and so one
/// transaction, and one round trip; its commit waits for the disk whatever the role prefers. The
/// session is opened by the first call, kept, and opened again when it breaks.
///
/// A call blocks for 40 seconds at most, on the server for 30, also for somebody else's lock; the
/// interrupt flag ends it at once. One thread at a time.
/// @fault of every call, besides those of `checkpoint_store`: checkpoint_store_failed for a server
/// that cannot be written (a standby), or one without the schema; as `connect_ordinary`; otherwise
/// by SQLSTATE.
class checkpoint_table final : public checkpoint_store {
public:
  /// Touches nothing yet. `table` is a name, or schema and name; `stop` may be null.
  checkpoint_table(std::string conninfo, std::string_view table, std::string slot_name,
                   std::shared_ptr<const interrupt_flag> stop = nullptr);

  [[nodiscard]] result<stored_checkpoint> read() override;
  [[nodiscard]] result<void> prepare(const session_identity& source) override;
  [[nodiscard]] result<void> write(watermark reached,
                                   std::span<const state_entry> changed) override;

  /// As `read`, for people.
  [[nodiscard]] result<tabled_checkpoint> look();

  /// Puts a position of `source` in the place of `seen`, which may be none, and makes the tables
  /// when they are missing. State goes when it belongs to another source or the position goes back,
  /// and its timeline always.
  /// @fault checkpoint_changed when the row is not as it was seen.
  [[nodiscard]] result<void> replace(const stored_checkpoint& seen, const session_identity& source,
                                     watermark position);

  /// Removes the row and its state. @fault checkpoint_changed when the row is not as it was seen.
  [[nodiscard]] result<void> forget(const stored_checkpoint& seen);

private:
  enum class presence : std::uint8_t {
    none,
    both,
  };

  [[nodiscard]] result<rows> ask(const std::string& query);
  [[nodiscard]] result<void> change(const std::string& query);
  [[nodiscard]] result<presence> probe();
  [[nodiscard]] result<void> make_tables();

  checkpoint_tables tables_;
  std::string slot_name_;
  std::shared_ptr<const interrupt_flag> stop_;
  kept_session session_;
};

} // namespace replicant::postgres
