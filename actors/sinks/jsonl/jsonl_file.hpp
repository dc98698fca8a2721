// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/readable_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// A file that one program appends to, and whose durable part is always known.
///
/// The first failure of writing or syncing is final: the file is cut back to what is known to be on
/// disk, and every later call fails in the same way. A new object finds out what is there. Every
/// fault carries the errno and the length that the file had.
class jsonl_file : public readable_file {
public:
  /// Opens or creates the regular file at `path` and locks it before anything is read.
  /// @fault sink_locked when another program has it open; sink_failed for anything else. The file
  /// is not touched in either case.
  [[nodiscard]] static result<jsonl_file> open(const std::string& path);

  /// Bytes that `sync` has made durable, or that were there before this object.
  [[nodiscard]] std::uint64_t synced() const { return synced_; }

  [[nodiscard]] result<void> append(std::string_view bytes);

  /// Makes everything appended durable, under this path: a file that was renamed, removed or
  /// replaced meanwhile is a failure (ESTALE for a replaced one), since nobody would find the data.
  [[nodiscard]] result<void> sync();

  /// Makes the file's name durable.
  [[nodiscard]] result<void> sync_folder();

  /// Cuts the file to `length`, which is durable only after `sync`.
  [[nodiscard]] result<void> cut(std::uint64_t length);

  /// Fails as if a system call had answered `error`.
  tl::unexpected<fault> give_up(int error);

private:
  using readable_file::readable_file;

  [[nodiscard]] int check_path() const;

  std::uint64_t synced_ = 0;
  std::optional<fault> failure_;
};

} // namespace replicant
