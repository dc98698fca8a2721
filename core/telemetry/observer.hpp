// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/schema_change.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace replicant {

enum class event_kind : std::uint8_t {
  connecting,      ///< A generation begins; `count` is its number.
  connected,       ///< The server is identified; `count` is server_version_num.
  slot_created,    ///< `position` is the consistent point.
  streaming,       ///< `position` is where the stream was asked to start.
  paced,           ///< Reading rests: `count` payload bytes wait for the sink.
  resumed,         ///< Reading goes on.
  server_leaving,  ///< The server shuts down; the connection is given up so that it can.
  generation_lost, ///< `failure` ended the generation; the next begins after `delay`.
  halted,          ///< `failure` needs a person.
  stopped,         ///< As asked; `position` is the last one acknowledged, zero for none.
  /// The source refuses its own UPDATE and DELETE of the published `table`, which has no replica
  /// identity; without a name: of `count` more.
  identity_missing,
  tail_cut,        ///< The sink has cut off `count` bytes that a crash had left unfinished.
  schema_changed,  ///< A table's rows come in another shape from `position` on: `change`.
  schema_refused,  ///< As above, and the sink does not take it: the halt follows.
  store_retrying,  ///< The checkpoint store failed with `failure`, `count` times in a row.
  store_recovered, ///< It does again what is asked; `failure` was the last.
};

[[nodiscard]] std::string_view to_string(event_kind kind);

/// Something that happened to a pipeline: structure only.
struct telemetry_event {
  event_kind kind = event_kind::connecting;
  std::string_view pipeline; ///< Valid during the call.
  lsn position{};
  std::uint64_t count = 0;
  std::chrono::milliseconds delay{0};
  fault failure{};
  std::string_view table{}; ///< Qualified and quoted as SQL takes it; valid during the call.
  const schema_change* change = nullptr; ///< Valid during the call.
};

/// Receives the events of pipelines. Called from several threads at once; must not block or throw.
class observer {
public:
  virtual ~observer() = default;

  virtual void on_event(const telemetry_event& what) = 0;
};

} // namespace replicant
