// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/crc32c.hpp"
#include "replicant/actors/sinks/jsonl/frame_lines.hpp"
#include "replicant/actors/sinks/jsonl/image_writer.hpp"
#include "replicant/actors/sinks/jsonl/relation_layout.hpp"
#include "replicant/core/delivery/watermark.hpp"
#include "replicant/core/model/result.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace replicant {

/// Turns what a sink receives into JSON lines, in a buffer that its owner carries away.
///
/// It knows nothing of files. Inside of a transaction the buffer may be carried away at any time,
/// so a transaction needs no more memory than its longest line.
class line_writer {
public:
  explicit line_writer(line_options options = {})
    : layouts_{std::move(options)}, images_{layouts_.options().numeric} {}

  /// The lines that wait to be carried away.
  [[nodiscard]] std::string_view pending() const { return buffer_; }

  /// `pending` has been carried away: forgets it.
  void taken();

  void header(const session_identity& source) { append_header(buffer_, {.source = source}); }

  /// Lines of state, ahead of the unit that comes next.
  void state(std::string_view lines) { buffer_.append(lines); }

  /// How a table has changed: written right behind the begin line of the transaction at `what.at`,
  /// or not at all when another one comes first.
  void announce(const schema_change& what);

  /// Begins a transaction: only `add` until `commit`.
  void begin(const transaction& txn);

  /// A change or a transactional message of the transaction.
  /// @fault decode_failure when a row does not fit its table, binary_unreadable for a binary value
  /// that cannot be read; as the catalog's when a type cannot be looked up now. The lines are of no
  /// use then.
  [[nodiscard]] result<void> add(const event& one);

  void commit();

  /// A message that stands alone.
  void message(const logical_message& one) { append_message(buffer_, one); }

  void progress(watermark reached) { append_progress(buffer_, reached); }

private:
  [[nodiscard]] result<void> add_change(const change& one);
  void sum_up();

  std::string buffer_;
  relation_layouts layouts_;
  image_writer images_;
  lsn announced_at_{};
  std::string announced_; ///< Lines that wait for the transaction at `announced_at_`.
  commit_line commit_;
  std::string commit_text_; ///< What every change line says of the commit, up to the ordinal.
  crc32c checksum_;
  std::size_t summed_ = 0; ///< The part of the buffer that `checksum_` covers or must not cover.
};

} // namespace replicant
