// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/connection.hpp"
#include "replicant/actors/postgres/rows.hpp"
#include "replicant/core/model/type_catalog.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace replicant::postgres {

/// Asks a source for its types, each once, in an ordinary session of its own that any user may
/// have.
///
/// The session is opened for the first type that is not built in, kept, and opened again when it is
/// found broken. Blocks for a minute at most. Not for several threads at once.
class type_catalog final : public replicant::type_catalog {
public:
  /// Touches nothing yet. `conninfo` is that of the stream.
  explicit type_catalog(std::string conninfo) : conninfo_{std::move(conninfo)} {}

  [[nodiscard]] result<std::shared_ptr<const type_shape>> find(std::uint32_t oid) override;

private:
  [[nodiscard]] result<void> open_session();
  [[nodiscard]] result<rows> ask(const std::string& query);

  std::string conninfo_; ///< A secret.
  std::optional<connection> session_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const type_shape>> known_;
};

} // namespace replicant::postgres
