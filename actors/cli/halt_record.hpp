// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"

#include <optional>
#include <string>
#include <vector>

namespace replicant::cli {

/// Keeps in the state folder why pipelines halted, so that `replicant status` can tell it after the
/// program has gone. One file per pipeline, "<name>.halted"; starting the pipeline removes it. A
/// halt at a change of a table is more: it is kept until a person has accepted the change.
class halt_record {
public:
  explicit halt_record(std::string state_dir) : folder_{std::move(state_dir)} {}

  /// Writes the status of a halted pipeline, whole or not at all.
  /// @returns whether it could be written.
  [[nodiscard]] bool keep(const pipeline_status& halted) const;

  /// Removes what was kept of this pipeline.
  void forget(const std::string& pipeline) const;

  /// What is kept of these pipelines, as status documents.
  [[nodiscard]] std::vector<std::string> kept(const std::vector<std::string>& pipelines) const;

  /// The halt that is kept of this pipeline, when it is one at a destructive change of a table.
  [[nodiscard]] std::optional<pipeline_status> schema_halt(const std::string& pipeline) const;

private:
  [[nodiscard]] std::string file_of(const std::string& pipeline) const;

  std::string folder_;
};

} // namespace replicant::cli
