// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/model/result.hpp"
#include "replicant/core/model/session_identity.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace replicant {

/// One pass over the blocks of a spill file.
class spill_reader {
public:
  virtual ~spill_reader() = default;

  /// @returns the next block, valid until the next call; nothing after the last.
  /// @fault spill_io_failed for a file that is not what was written.
  [[nodiscard]] virtual result<std::optional<std::string_view>> next() = 0;
};

/// Blocks of one open transaction that have left memory, in order. They go with this object, on
/// every path. Written by one thread and afterwards read by another.
class spill_file {
public:
  virtual ~spill_file() = default;

  /// Puts `block` behind the others. It need not survive the process, so it is never synced.
  /// @fault spill_io_failed, with the errno; spill_exhausted when there would be more on disk than
  /// may be. After a fault the file is of no use.
  [[nodiscard]] virtual result<void> append(std::string_view block) = 0;

  /// A pass of its own over what has been appended. Any number of them, one after another or at the
  /// same time, but none while something is appended.
  [[nodiscard]] virtual std::unique_ptr<spill_reader> read() const = 0;

  /// What the file takes on disk.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Where one stream spills.
class spill_area {
public:
  virtual ~spill_area() = default;

  /// Makes an empty file for the open transaction `xid`. @fault spill_io_failed, with the errno.
  [[nodiscard]] virtual result<std::shared_ptr<spill_file>> create(std::uint32_t xid) = 0;

  /// What all files that still exist take on disk, those of delivered transactions included.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;

  /// How much all of them may take.
  [[nodiscard]] virtual std::uint64_t limit() const = 0;
};

/// Makes the area of one stream from the slot of this identity; what an earlier stream from it has
/// left behind is removed.
using spill_area_factory = std::function<std::shared_ptr<spill_area>(const session_identity&)>;

} // namespace replicant
