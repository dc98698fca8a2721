// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/spill.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace replicant {

/// What is known of a spill file by whoever has written it.
struct written_spill {
  int number = -1; ///< Of its descriptor, which stays the writer's.
  std::uint32_t xid = 0;
  std::uint64_t length = 0;
  std::uint32_t largest = 0; ///< Of its blocks, in bytes.
};

/// One pass over a spill file, which has to be there as long as this. It has a place of its own in
/// the file, and a buffer that grows to the largest block.
///
/// A fault has the errno and the place, or only the place when the file is not what was written. It
/// comes again at every further call.
class stored_spill_reader final : public spill_reader {
public:
  explicit stored_spill_reader(const written_spill& file) : file_{file} {}

  [[nodiscard]] result<std::optional<std::string_view>> next() override;

private:
  [[nodiscard]] result<void> begin();
  [[nodiscard]] result<void> fill(std::uint64_t from, std::span<char> into) const;
  [[nodiscard]] std::span<char> room_for(std::size_t size);
  [[nodiscard]] tl::unexpected<fault> damaged(std::uint64_t at) const;

  written_spill file_;
  std::uint64_t place_ = 0;
  std::unique_ptr<char[]> buffer_; // NOLINT(*-avoid-c-arrays)
  std::size_t capacity_ = 0;
};

} // namespace replicant
