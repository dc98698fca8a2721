// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace replicant {

/// How the names of spill files end.
inline constexpr std::string_view spill_suffix = ".spill";

enum class when_missing : std::uint8_t {
  make, ///< Parents too.
  fail, ///< With ENOENT.
};

/// The folder of one slot's spill files: locked as long as this object lives, and removed at its
/// end unless something is in it. Readable for its owner only, since what is in it are rows. A
/// folder that was opened is for any threads at the same time. Errors are errnos.
class spill_folder {
public:
  /// Opens the folder at `path`, locks it, and removes what another program that was killed has
  /// left in it: all names with `spill_suffix`, nothing else. Links are not followed at the end of
  /// `path`; rights wider than the owner's are taken away.
  /// @returns EWOULDBLOCK when another program, or another object, has it locked: then it is left
  /// as it is. EPERM when it belongs to somebody else.
  [[nodiscard]] static tl::expected<std::shared_ptr<const spill_folder>, int>
  open(const std::string& path, when_missing missing);

  /// Use `open`.
  spill_folder(std::string path, descriptor handle)
    : path_{std::move(path)}, handle_{std::move(handle)} {}

  spill_folder(const spill_folder&) = delete;
  spill_folder& operator=(const spill_folder&) = delete;
  ~spill_folder();

  /// Makes a file to be written and read, for its owner only; EEXIST when the name is taken.
  [[nodiscard]] tl::expected<descriptor, int> create(const std::string& name) const;

  /// Removes the name of a file, if it is still there.
  void remove(const std::string& name) const;

  /// Whether the path still leads here: somebody may have removed the folder, or put another one
  /// there.
  [[nodiscard]] bool in_place() const;

private:
  std::string path_;
  descriptor handle_;
};

} // namespace replicant
