// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/files/spill_folder.hpp"
#include "replicant/actors/files/spill_space.hpp"
#include "replicant/core/assembly/spill.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace replicant {

/// A spill file in a folder, `<xid>.spill`. It keeps its folder locked, and gives back the space
/// that it has taken; both may be asked of another thread than the one that made it.
class stored_spill final : public spill_file {
public:
  /// Makes an empty file, which takes nothing until something is appended.
  /// @returns the errno when there is none; EEXIST when there is one for `xid` already.
  [[nodiscard]] static tl::expected<std::shared_ptr<spill_file>, int>
  create(std::shared_ptr<const spill_folder> folder, std::shared_ptr<spill_space> space,
         std::uint32_t xid);

  /// Use `create`.
  stored_spill(std::shared_ptr<const spill_folder> folder, std::shared_ptr<spill_space> space,
               std::uint32_t xid, descriptor handle);

  stored_spill(const stored_spill&) = delete;
  stored_spill& operator=(const stored_spill&) = delete;
  ~stored_spill() override;

  [[nodiscard]] result<void> append(std::string_view block) override;
  [[nodiscard]] std::unique_ptr<spill_reader> read() const override;

  [[nodiscard]] std::uint64_t bytes() const override { return length_; }

private:
  [[nodiscard]] result<void> put(std::string_view block);

  std::shared_ptr<const spill_folder> folder_;
  std::shared_ptr<spill_space> space_;
  std::uint32_t xid_;
  descriptor handle_;
  std::uint64_t length_ = 0; ///< As it was taken from `space_`, before it is written.
  std::uint32_t largest_ = 0;
  std::optional<fault> failure_;
};

} // namespace replicant
