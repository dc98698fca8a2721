// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/postgres/catalog_session.hpp"
#include "replicant/core/values/type_catalog.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

namespace replicant::postgres {

/// The shape of a type, from the answer to its `type_query`.
[[nodiscard]] std::shared_ptr<const type_shape> shape_of(const rows& answer, std::uint32_t oid);

/// Asks a source for its types, each once, in a session that is opened for the first one that is
/// not built in. A call blocks as `catalog_session` does. One thread at a time.
class type_catalog final : public replicant::type_catalog {
public:
  /// Touches nothing yet. `conninfo` is that of the stream; `stop` ends every wait, has to outlive
  /// the catalog and may be null.
  explicit type_catalog(std::string conninfo, const interrupt_flag* stop = nullptr)
    : session_{std::move(conninfo), stop} {}

  [[nodiscard]] result<std::shared_ptr<const type_shape>> find(std::uint32_t oid) override;

private:
  catalog_session session_;
  std::unordered_map<std::uint32_t, std::shared_ptr<const type_shape>> known_;
};

} // namespace replicant::postgres
