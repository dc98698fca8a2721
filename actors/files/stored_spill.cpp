// SPDX-License-Identifier: MIT
#include "replicant/actors/files/stored_spill.hpp"

#include "replicant/actors/files/file_fault.hpp"
#include "replicant/actors/files/spill_format.hpp"
#include "replicant/actors/files/stored_spill_reader.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <limits>
#include <utility>

namespace replicant {

namespace {

std::string name_of(std::uint32_t xid) {
  return std::to_string(xid).append(spill_suffix);
}

} // namespace

tl::expected<std::shared_ptr<spill_file>, int>
stored_spill::create(std::shared_ptr<const spill_folder> folder, std::shared_ptr<spill_space> space,
                     std::uint32_t xid) {
  auto handle = folder->create(name_of(xid));
  if (!handle)
    return tl::unexpected{handle.error()};
  // It is read from its start to its end, with more read ahead than by default.
  ::posix_fadvise(handle->number(), 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_shared<stored_spill>(std::move(folder), std::move(space), xid,
                                        std::move(*handle));
}

stored_spill::stored_spill(std::shared_ptr<const spill_folder> folder,
                           std::shared_ptr<spill_space> space, std::uint32_t xid, descriptor handle)
  : folder_{std::move(folder)}, space_{std::move(space)}, xid_{xid}, handle_{std::move(handle)} {}

stored_spill::~stored_spill() {
  // What is taken is on disk until both the name and the descriptor are gone.
  folder_->remove(name_of(xid_));
  handle_ = descriptor{};
  space_->give_back(length_);
}

result<void> stored_spill::append(std::string_view block) {
  if (failure_)
    return failure(*failure_);
  auto done = put(block);
  if (!done)
    failure_ = done.error();
  return done;
}

result<void> stored_spill::put(std::string_view block) {
  if (block.size() > std::numeric_limits<std::uint32_t>::max())
    return failure(file_fault(reason::spill_io_failed, EOVERFLOW, length_));
  const auto opening = std::bit_cast<std::array<char, sizeof(spill_opening)>>(
    spill_opening{.header = {.xid = xid_}, .first = head_of(block)});
  const auto head = std::string_view{opening.data(), opening.size()}.substr(
    length_ == 0 ? 0 : sizeof(spill_header));
  const auto size = head.size() + block.size();
  if (!space_->take(size))
    return failure(
      {.why = reason::spill_exhausted,
       .facts = {{{fact_kind::limit, space_->limit()}, {fact_kind::transaction_id, xid_}}}});
  const auto at = std::exchange(length_, length_ + size);
  if (const auto put = write_at(handle_.number(), at, head, block); put.error != 0)
    return failure(file_fault(reason::spill_io_failed, put.error, at + put.size));
  largest_ = std::max(largest_, static_cast<std::uint32_t>(block.size()));
  return {};
}

std::unique_ptr<spill_reader> stored_spill::read() const {
  return std::make_unique<stored_spill_reader>(
    written_spill{.number = handle_.number(), .xid = xid_, .length = length_, .largest = largest_});
}

} // namespace replicant
