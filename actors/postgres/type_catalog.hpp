// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/catalog_session.hpp"
#include "replicant/core/model/type_catalog.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace replicant::postgres {

/// Asks a source for its types, each once, in a session that is opened for the first one that is
/// not built in. One thread at a time.
class type_catalog final : public replicant::type_catalog {
public:
  /// Touches nothing yet. `conninfo` is that of the stream.
  explicit type_catalog(std::string conninfo) : session_{std::move(conninfo)} {}

  [[nodiscard]] result<std::shared_ptr<const type_shape>> find(std::uint32_t oid) override;

private:
  catalog_session session_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const type_shape>> known_;
};

} // namespace replicant::postgres
