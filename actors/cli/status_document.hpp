// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/telemetry/pipeline_status.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::cli {

/// The status of pipelines as one line of JSON: what `replicant status` is told, and what is kept
/// of a halt. Positions are PostgreSQL's text, times ISO 8601, sizes bytes; what is not known is
/// null.
[[nodiscard]] std::string status_document(const std::vector<pipeline_status>& pipelines);

/// What a status document says, for the exit code.
enum class verdict {
  fine,
  halted,     ///< At least one pipeline is halted.
  unreadable, ///< This is no status document.
};

[[nodiscard]] verdict judge(std::string_view document);

/// The first pipeline of a document when it is halted by a destructive change of a table, as far as
/// the document tells of it; nothing otherwise.
[[nodiscard]] std::optional<pipeline_status> schema_halt_in(std::string_view document);

/// The names of the pipelines in a document.
[[nodiscard]] std::vector<std::string> pipeline_names(std::string_view document);

/// Joins documents into one; those that are none are left out.
[[nodiscard]] std::string join_documents(const std::vector<std::string>& documents);

} // namespace replicant::cli
