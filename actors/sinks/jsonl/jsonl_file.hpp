// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/readable_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

enum class symbolic_links : std::uint8_t {
  followed,
  refused, ///< For a path that is to be renamed.
};

/// A file that one program appends to, and whose durable part is always known.
///
/// The first failure of writing or syncing is final: the file is cut back to what is known to be on
/// disk, and every later call fails in the same way. A new object finds out what is there. Every
/// fault carries the errno and the length that the file had.
class jsonl_file : public readable_file {
public:
  /// Opens or creates the regular file at `path` and locks it before anything is read.
  /// @fault sink_locked when another program has it open; sink_failed for anything else, so with
  /// ELOOP for a link that is not to be followed. The file is not touched in either case.
  [[nodiscard]] static result<jsonl_file> open(const std::string& path,
                                               symbolic_links links = symbolic_links::followed);

  /// Opens and locks the regular file at `path` when there is one; no link is followed.
  /// @fault as `open`.
  [[nodiscard]] static result<jsonl_file> open_existing(const std::string& path);

  /// Creates and locks an empty file with the permissions of this one; `path` must be free.
  [[nodiscard]] result<jsonl_file> create_beside(const std::string& path);

  /// Bytes that `sync` has made durable, or that were there before this object.
  [[nodiscard]] std::uint64_t synced() const { return synced_; }

  [[nodiscard]] result<void> append(std::string_view bytes);

  /// Makes everything appended durable, under this path: a file that was renamed, removed or
  /// replaced meanwhile is a failure (ESTALE for a replaced one), since nobody would find the data.
  [[nodiscard]] result<void> sync();

  /// Makes the file's name durable.
  [[nodiscard]] result<void> sync_folder();

  /// Gives the file a second name. That it has this name already is no failure.
  [[nodiscard]] result<void> add_name(const std::string& path);

  /// Takes the place of the file at `path` in one step, and forgets its own name.
  [[nodiscard]] result<void> take_place(const std::string& path);

  /// Cuts the file to `length`, which is durable only after `sync`.
  [[nodiscard]] result<void> cut(std::uint64_t length);

  /// Fails as if a system call had answered `error`.
  tl::unexpected<fault> give_up(int error);

private:
  using readable_file::readable_file;

  [[nodiscard]] static result<jsonl_file> open_and_lock(const std::string& path, int flags);
  [[nodiscard]] static result<jsonl_file> open_settled(const std::string& path, int flags);

  [[nodiscard]] int check_path() const;

  std::uint64_t synced_ = 0;
  std::optional<fault> failure_;
};

} // namespace replicant
