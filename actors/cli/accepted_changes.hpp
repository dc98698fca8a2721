// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace replicant::cli {

/// Keeps in the state folder which changes of tables a person has accepted, by their fingerprints.
/// One file per pipeline, "<name>.accepted", with one on each line.
class accepted_changes {
public:
  explicit accepted_changes(std::string state_dir) : folder_{std::move(state_dir)} {}

  /// @returns the fingerprints; none without a file; an errno when it cannot be read, EBADMSG when
  /// it holds anything else.
  [[nodiscard]] tl::expected<std::vector<std::uint64_t>, int>
  read(const std::string& pipeline) const;

  /// Adds one; durable on return, whole or not at all. @returns an errno, or 0.
  [[nodiscard]] int add(const std::string& pipeline, std::uint64_t fingerprint) const;

  [[nodiscard]] std::string file_of(const std::string& pipeline) const;

private:
  std::string folder_;
};

} // namespace replicant::cli
