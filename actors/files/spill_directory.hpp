// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/spill_folder.hpp"
#include "replicant/actors/files/spill_space.hpp"
#include "replicant/core/assembly/spill.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace replicant {

/// Where the stream from one slot spills: `<dir>/<slot_name>.<system_identifier>/<xid>.spill`, so
/// that two slots never meet, also those of two servers. Rows lie there in clear: folder and files
/// are their owner's only.
///
/// The folder is locked from its first use until this object and all files are gone, and is then
/// removed. `create` is for one thread; files may go in another, also after this object.
class spill_directory final : public spill_area {
public:
  /// Takes a folder that is there, and removes the spill files of a program that was killed. Makes
  /// nothing, and never fails: what is in the way now is looked at again by `create`, and is its
  /// fault.
  spill_directory(const std::string& dir, std::uint64_t max_spill_bytes,
                  const session_identity& identity);

  /// Makes the folders that are missing, with the first file.
  /// @fault spill_io_failed with error_number and transaction_id: EWOULDBLOCK when another program,
  /// or an earlier stream from this slot, has the folder; EPERM when it belongs to another user.
  [[nodiscard]] result<std::shared_ptr<spill_file>> create(std::uint32_t xid) override;

  [[nodiscard]] std::uint64_t bytes() const override { return space_->taken(); }

  [[nodiscard]] std::uint64_t limit() const override { return space_->limit(); }

private:
  [[nodiscard]] tl::expected<std::shared_ptr<spill_file>, int> make_file(std::uint32_t xid);

  /// @returns the errno, or 0.
  [[nodiscard]] int take_folder(when_missing missing);

  std::string path_; ///< Empty when the names make none.
  std::shared_ptr<spill_space> space_;
  std::shared_ptr<const spill_folder> folder_;
};

} // namespace replicant
