// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/file_handle.hpp"
#include "replicant/core/model/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace replicant {

/// Which file a path named at some moment.
struct file_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  friend bool operator==(const file_identity&, const file_identity&) = default;
};

/// A file that one program appends to, and whose durable part is always known.
///
/// The first failure of writing or syncing is final: the file is cut back to what is known to be on
/// disk, and every later call fails in the same way. A new object finds out what is there. Every
/// fault carries the errno and the length that the file had.
class jsonl_file {
public:
  /// Opens or creates the regular file at `path` and locks it before anything is read.
  /// @fault sink_locked when another program has it open; sink_failed for anything else. The file
  /// is not touched in either case.
  [[nodiscard]] static result<jsonl_file> open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] file_identity identity() const { return identity_; }

  [[nodiscard]] std::uint64_t length() const { return length_; }

  /// Bytes that `sync` has made durable, or that were there before this object.
  [[nodiscard]] std::uint64_t synced() const { return synced_; }

  /// Reads what is there at `offset`, up to the size of `into`.
  /// @fault sink_unreadable with the errno.
  [[nodiscard]] result<std::string_view> read(std::uint64_t offset, std::span<char> into) const;

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
  jsonl_file(std::string path, file_handle handle)
    : path_{std::move(path)}, handle_{std::move(handle)} {}

  [[nodiscard]] int check_path() const;

  std::string path_;
  file_handle handle_;
  file_identity identity_;
  std::uint64_t length_ = 0;
  std::uint64_t synced_ = 0;
  std::optional<fault> failure_;
};

} // namespace replicant
