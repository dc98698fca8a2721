// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"

#include <tl/expected.hpp>

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

  /// Writes the status of a halted pipeline, whole or not at all; durable on return.
  /// @returns whether it could be written.
  [[nodiscard]] bool keep(const pipeline_status& halted) const;

  /// Removes what was kept of this pipeline.
  void forget(const std::string& pipeline) const;

  /// What can be read of these pipelines, as status documents.
  [[nodiscard]] std::vector<std::string> kept(const std::vector<std::string>& pipelines) const;

  /// The halt that is kept of this pipeline, when it is one at a destructive change of a table.
  /// @returns nothing without a file or for another halt; an errno when it cannot be read, EBADMSG
  /// when it holds no halt.
  [[nodiscard]] tl::expected<std::optional<pipeline_status>, int>
  schema_halt(const std::string& pipeline) const;

  [[nodiscard]] std::string file_of(const std::string& pipeline) const;

private:
  /// @returns the document; nothing without a file, or an errno.
  [[nodiscard]] tl::expected<std::optional<std::string>, int>
  read(const std::string& pipeline) const;

  std::string folder_;
};

/// For people: that a record cannot be read, and what to do. One line.
[[nodiscard]] std::string unreadable_record(const std::string& path, int error);

} // namespace replicant::cli
