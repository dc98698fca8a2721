// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/line_writer.hpp"
#include "replicant/actors/sinks/tail/tail_format.hpp"

#include <utility>

namespace replicant {

/// For programs: the lines of a JSON-lines file, of what is shown.
///
/// Two lines are of its own: {"kind":"gap",...} where changes were missed, and {"kind":"cut",...}
/// instead of the commit line of a transaction that is not shown to its end.
class json_format final : public tail_format {
public:
  explicit json_format(line_options options = {}) : lines_{std::move(options)} {}

  void header(std::string& out, const session_identity& source) override;
  void gap(std::string& out, const stream_gap& what) override;
  void schema_change(std::string& out, const replicant::schema_change& what) override;
  void begin(std::string& out, const transaction& txn, const shown_part& part) override;
  [[nodiscard]] result<void> add(std::string& out, const event& one) override;
  void end(std::string& out, const transaction& txn, const shown_part& part) override;
  void message(std::string& out, const logical_message& one) override;

private:
  void carry(std::string& out);

  line_writer lines_;
};

} // namespace replicant
