// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/assembler.hpp"
#include "replicant/tests/support/wire_bytes.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace replicant::test {

inline constexpr std::uint32_t orders = 16384;
inline constexpr std::uint32_t items = 16385;

inline std::shared_ptr<const chunk> chunk_of(const std::vector<std::string>& payloads,
                                             std::optional<lsn> mark = std::nullopt) {
  auto made = std::make_shared<chunk>();
  for (const auto& payload : payloads)
    made->append(data_frame(lsn{7}, payload));
  if (mark)
    made->mark = watermark::before(*mark);
  return made;
}

inline std::string announce(std::uint32_t oid) {
  return relation_payload(oid, oid == orders ? "orders" : "items", {"id", "note"});
}

inline std::ptrdiff_t transactions_in(const delivery& made) {
  return std::ranges::count_if(made.items, [](const delivery_item& item) {
    return std::holds_alternative<transaction>(item);
  });
}

/// What a sink would see, in words.
inline std::vector<std::string> told(const delivery& made) {
  std::vector<std::string> lines;
  for (const auto& item : made.items) {
    if (const auto* changed = std::get_if<std::shared_ptr<const schema_change>>(&item)) {
      lines.push_back("changed " + to_string(**changed));
      continue;
    }
    if (std::holds_alternative<std::shared_ptr<const relation>>(item))
      continue;
    const auto* txn = std::get_if<transaction>(&item);
    if (txn == nullptr) {
      lines.push_back("message " + std::string{std::get<logical_message>(item).content});
      continue;
    }
    lines.push_back("txn " + std::to_string(txn->xid) + " at " +
                    std::to_string(txn->commit_lsn.value()));
    for (const auto& one : txn->events()) {
      if (const auto* message = std::get_if<logical_message>(&one)) {
        lines.push_back(std::to_string(message->ordinal) + " message " +
                        std::string{message->content});
        continue;
      }
      const auto& row = std::get<change>(one);
      auto line = std::to_string(row.ordinal) + " " + std::to_string(static_cast<int>(row.op)) +
                  " " + row.table->name;
      for (const auto& cells : {row.record, row.old})
        for (const auto& value : cells)
          line += " " + (value.kind == cell_kind::null ? "NULL" : std::string{value.bytes});
      lines.push_back(line);
    }
  }
  return lines;
}

} // namespace replicant::test
