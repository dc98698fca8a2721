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

/// One pass over the blocks of a spill file. It must not outlive the file.
class spill_reader {
public:
  virtual ~spill_reader() = default;

  /// @returns the next block, valid until the next call; nothing after the last.
  /// @fault spill_io_failed: with the errno and the place of what could not be read, or only with
  /// the place (file_offset) of what is not as it was written. It comes again at every further
  /// call.
  [[nodiscard]] virtual result<std::optional<std::string_view>> next() = 0;
};

/// Blocks of one open transaction that have left memory, in order. They go with this object, on
/// every path. Written by one thread and afterwards read by another.
class spill_file {
public:
  virtual ~spill_file() = default;

  /// Puts `block` behind the others; it may be empty, and as large as 32 bits can count. It need
  /// not survive the process, so it is never synced.
  /// @fault spill_io_failed, with the errno and the place; spill_exhausted, with the limit, when
  /// there would be more on disk than may be, and then nothing was written. After a fault the file
  /// is of no use, and the fault comes again.
  [[nodiscard]] virtual result<void> append(std::string_view block) = 0;

  /// A pass of its own over what has been appended. Any number of them, one after another or at the
  /// same time, but none while something is appended.
  [[nodiscard]] virtual std::unique_ptr<spill_reader> read() const = 0;

  /// What the file takes on disk, in bytes.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

/// Where one stream spills.
class spill_area {
public:
  virtual ~spill_area() = default;

  /// Makes an empty file for the open transaction `xid`, of which there must be no other.
  /// @fault spill_io_failed, with the errno; it may be tried again.
  [[nodiscard]] virtual result<std::shared_ptr<spill_file>> create(std::uint32_t xid) = 0;

  /// What all files that still exist take on disk, those of delivered transactions included. It may
  /// become less at any time, since files go in other threads.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;

  /// How much all of them may take.
  [[nodiscard]] virtual std::uint64_t limit() const = 0;
};

/// Makes the area of one stream from the slot of this identity; what an earlier stream from it has
/// left behind is removed.
using spill_area_factory = std::function<std::shared_ptr<spill_area>(const session_identity&)>;

} // namespace replicant
