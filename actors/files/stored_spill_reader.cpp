// SPDX-License-Identifier: MIT
#include "replicant/actors/files/stored_spill_reader.hpp"

#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/files/file_fault.hpp"
#include "replicant/actors/files/spill_format.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

namespace replicant {

result<std::optional<std::string_view>> stored_spill_reader::next() {
  if (place_ == file_.length)
    return std::nullopt;
  if (place_ == 0)
    if (const auto begun = begin(); !begun)
      return failure(begun.error());
  std::array<char, sizeof(spill_frame_head)> bytes{};
  if (const auto filled = fill(place_, bytes); !filled)
    return failure(filled.error());
  const auto head = std::bit_cast<spill_frame_head>(bytes);
  // Before there is room made for it: what is damaged may say any length.
  if (head.length > file_.largest)
    return damaged(place_);
  const auto block = room_for(head.length);
  if (const auto filled = fill(place_ + sizeof head, block); !filled)
    return failure(filled.error());
  const std::string_view content{block.data(), block.size()};
  if (head_of(content) != head)
    return damaged(place_);
  place_ += sizeof head + content.size();
  return content;
}

/// Looks whether the file has the length and the header that it was given.
result<void> stored_spill_reader::begin() {
  struct stat status {};

  if (::fstat(file_.number, &status) != 0)
    return failure(file_fault(reason::spill_io_failed, errno, 0));
  const auto length = static_cast<std::uint64_t>(status.st_size);
  if (length != file_.length)
    return damaged(std::min(length, file_.length));
  std::array<char, sizeof(spill_header)> bytes{};
  if (auto filled = fill(0, bytes); !filled)
    return filled;
  if (std::bit_cast<spill_header>(bytes) != spill_header{.xid = file_.xid})
    return damaged(0);
  place_ = sizeof(spill_header);
  return {};
}

/// Reads exactly so many bytes.
result<void> stored_spill_reader::fill(std::uint64_t from, std::span<char> into) const {
  const auto got = read_at(file_.number, from, into);
  if (got.error != 0)
    return failure(file_fault(reason::spill_io_failed, got.error, from + got.size));
  if (got.size != into.size())
    return damaged(from + got.size);
  return {};
}

std::span<char> stored_spill_reader::room_for(std::size_t size) {
  if (size > capacity_) {
    // The old one first: both together may be more than there is.
    buffer_.reset();
    buffer_ = std::make_unique_for_overwrite<char[]>(size); // NOLINT(*-avoid-c-arrays)
    capacity_ = size;
  }
  return {buffer_.get(), size};
}

tl::unexpected<fault> stored_spill_reader::damaged(std::uint64_t at) const {
  return failure(
    {.why = reason::spill_io_failed,
     .facts = {{{fact_kind::file_offset, at}, {fact_kind::transaction_id, file_.xid}}}});
}

} // namespace replicant
