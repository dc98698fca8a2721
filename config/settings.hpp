// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/listen_address.hpp"
#include "replicant/core/delivery/batch.hpp"
#include "replicant/core/delivery/checkpoint_retry.hpp"
#include "replicant/core/delivery/slow_sink.hpp"
#include "replicant/core/model/slot_lifetime.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace replicant {

/// How a line of the log is written.
enum class log_format : std::uint8_t {
  text,
  json,
};

/// Settings of the program as a whole ([runtime]).
struct runtime_settings {
  std::string log_level = "info"; ///< trace, debug, info, warn, error.
  replicant::log_format log_format = replicant::log_format::text;
  std::uint32_t threads = 2; ///< Of the CAF scheduler.
  std::string state_dir;     ///< Resolved by the loader: never empty after loading.
  std::string
    control_socket; ///< Resolved by the loader: `<state_dir>/control.sock` when not given.
  std::optional<listen_address> metrics{}; ///< Where HTTP tells them; nothing: nowhere.

  friend bool operator==(const runtime_settings&, const runtime_settings&) = default;
};

/// When a JSON-lines file is synced.
enum class fsync_policy : std::uint8_t {
  every_commit, ///< Once per delivery group.
  interval,     ///< At least once per `fsync_interval` while there is something to sync.
};

/// How a JSON-lines sink writes PostgreSQL's numeric.
enum class numeric_style : std::uint8_t {
  string, ///< For readers that take every JSON number for a double.
  number, ///< The exact text as a JSON number; NaN and the infinities stay strings.
};

/// When a JSON-lines file is closed and the next one begun; zero: not for this reason.
struct rotation_settings {
  std::uint64_t bytes = 0;
  std::chrono::milliseconds interval{0};

  friend bool operator==(const rotation_settings&, const rotation_settings&) = default;
};

/// [pipeline.sink] with kind = "jsonl".
struct jsonl_settings {
  std::string path; ///< "-" is standard output.
  fsync_policy fsync = fsync_policy::every_commit;
  std::chrono::milliseconds fsync_interval{1000};
  numeric_style numeric = numeric_style::string;
  rotation_settings rotate;

  [[nodiscard]] bool to_standard_output() const { return path == "-"; }

  friend bool operator==(const jsonl_settings&, const jsonl_settings&) = default;
};

/// [pipeline.sink] with kind = "null": counts and forgets.
struct null_settings {
  friend bool operator==(const null_settings&, const null_settings&) = default;
};

/// [pipeline.source_identity]: refuse any other server.
struct source_identity_settings {
  std::optional<std::string> system_identifier;
  std::optional<std::string> database;

  friend bool operator==(const source_identity_settings&,
                         const source_identity_settings&) = default;
};

/// [pipeline.checkpoint_store]: keep the position in a table, for a sink that cannot keep it.
struct checkpoint_store_settings {
  std::string conninfo; ///< A secret. Any PostgreSQL server that may be written.
  /// Name or schema and name, each as it is, without quotes; without a schema it is in public. A
  /// second table, with `_state` behind the name, lies beside it. Both are made when they are
  /// missing.
  std::string table = "replicant_checkpoints";
  checkpoint_retry retry;
  /// Write it for several transactions at once; without, for each before the next is delivered.
  std::optional<batch_delivery> batch{};

  friend bool operator==(const checkpoint_store_settings&,
                         const checkpoint_store_settings&) = default;
};

/// [pipeline.streaming.spill]: where open transactions go that do not fit into memory.
struct spill_settings {
  /// A folder for itself, made when it is missing; several pipelines may share it, several programs
  /// should not. The loader puts `<state_dir>/spill` in the place of an empty one; for a host it is
  /// `spill` in the program's default state folder (see `default_state_directory`).
  std::string dir;
  /// That one pipeline may have on disk at a time; less than its `max_inflight_lag` counts as that.
  std::uint64_t max_spill_bytes = std::uint64_t{8} * 1024 * 1024 * 1024;

  friend bool operator==(const spill_settings&, const spill_settings&) = default;
};

/// [pipeline.streaming]: how transactions are taken that are too large to be held until their
/// commit, by the server or by us.
struct streaming_settings {
  bool enabled = true; ///< Take large transactions while they are open, so that the server need not
                       ///< keep them on its disk.
  std::uint32_t max_concurrent_txns = 64; ///< That are open and streamed at a time.
  /// Nothing: a transaction that does not fit into `max_inflight_lag` halts the pipeline.
  std::optional<spill_settings> spill = spill_settings{};

  friend bool operator==(const streaming_settings&, const streaming_settings&) = default;
};

/// One [[pipeline]]. A host fills it by itself; `validate.hpp` has the rules for names, which
/// `start` does not check. Defaults are those of a file.
struct pipeline_settings {
  std::string name;      ///< For logs and status.
  std::string slot_name; ///< Made at the first start; of this pipeline alone.
  /// The key `failover` chooses between the two that stay. A host that only watches takes a
  /// temporary slot, which leaves nothing behind.
  slot_lifetime slot = slot_lifetime::permanent;
  std::vector<std::string> publications; ///< They have to exist before the slot.
  /// Without a slot one may be made, and the stream begins at that moment; otherwise such a start
  /// halts as `go_forward_required`.
  bool go_forward_only = false;
  bool messages = false; ///< The sink takes messages outside of transactions too.
  bool binary = false;   ///< Ask the server for values in binary form where it can.
  std::uint64_t max_inflight_lag =
    std::uint64_t{32} * 1024 * 1024; ///< Payload bytes read and not yet durable.
  slow_sink_policy on_slow_sink = slow_sink_policy::pace;
  std::uint32_t max_command_retries = 5; ///< Of a command that the server refuses, in a row.
  streaming_settings streaming;
  /// Hand several transactions to the sink at once, which has to be a `batch_sink`.
  std::optional<replicant::batch_delivery> batch_delivery{};
  /// Keep the position for the sink, which then repeats after a crash what was not yet stored: one
  /// transaction, or one `batch`. Not together with `batch_delivery`.
  std::optional<checkpoint_store_settings> checkpoint_store{};
  /// Changes of tables that a person has accepted (fact_kind::fingerprint): the sink's refusal of
  /// them as destructive does not halt.
  std::vector<std::uint64_t> accepted_schema_changes;
  std::string conninfo; ///< [pipeline.connection]; a secret.
  source_identity_settings source_identity;
  std::variant<null_settings, jsonl_settings> sink; ///< For the program; `start` is given a sink.

  friend bool operator==(const pipeline_settings&, const pipeline_settings&) = default;
};

/// A whole configuration file.
struct settings {
  runtime_settings runtime;
  std::vector<pipeline_settings> pipelines;

  friend bool operator==(const settings&, const settings&) = default;
};

} // namespace replicant
