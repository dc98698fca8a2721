// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/files/spill_directory.hpp"
#include "replicant/tests/support/temp_dir.hpp"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <vector>

namespace replicant::test {

inline constexpr std::uint64_t much = std::uint64_t{1} << 30;

/// Where the stream of one slot spills in a test.
struct spill_place {
  temp_dir root;
  std::string dir = root / "state/spill";
  session_identity identity{.system_identifier = "7378697629483820647",
                            .timeline = 1,
                            .database = "shop",
                            .slot_name = "shop_orders"};

  [[nodiscard]] std::string folder() const { return dir + "/shop_orders.7378697629483820647"; }

  [[nodiscard]] std::string file(std::uint32_t xid) const {
    return folder() + '/' + std::to_string(xid) + ".spill";
  }

  [[nodiscard]] std::unique_ptr<spill_directory> area(std::uint64_t limit = much) const {
    return std::make_unique<spill_directory>(dir, limit, identity);
  }
};

inline std::shared_ptr<spill_file> made(spill_area& area, std::uint32_t xid) {
  auto file = area.create(xid);
  REQUIRE(file);
  return *file;
}

inline std::shared_ptr<spill_file> made(spill_area& area, std::uint32_t xid,
                                        const std::vector<std::string>& blocks) {
  auto file = made(area, xid);
  for (const auto& block : blocks)
    REQUIRE(file->append(block));
  return file;
}

/// Everything that one pass gives.
inline std::vector<std::string> blocks_of(const spill_file& file) {
  std::vector<std::string> blocks;
  const auto pass = file.read();
  for (;;) {
    const auto block = pass->next();
    REQUIRE(block);
    if (!*block)
      return blocks;
    blocks.emplace_back(**block);
  }
}

/// What a pass ends with, however many blocks it gives before.
inline fault reading_fault(const spill_file& file) {
  const auto pass = file.read();
  for (;;) {
    const auto block = pass->next();
    if (!block) {
      // It does not go on behind what cannot be read.
      const auto again = pass->next();
      REQUIRE_FALSE(again);
      CHECK(to_string(again.error()) == to_string(block.error()));
      return block.error();
    }
    REQUIRE(*block);
  }
}

/// The errno of a file that could not be made.
inline int creation_error(spill_area& area, std::uint32_t xid = 1) {
  const auto refused = area.create(xid);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::spill_io_failed);
  CHECK(find_fact(refused.error(), fact_kind::transaction_id) == xid);
  return static_cast<int>(find_fact(refused.error(), fact_kind::error_number).value_or(0));
}

/// The rights of what is at `path`, as chmod takes them.
inline unsigned rights_of(const std::string& path) {
  struct stat found {};

  REQUIRE(::lstat(path.c_str(), &found) == 0);
  return found.st_mode & 07777U;
}

inline bool exists(const std::string& path) {
  struct stat found {};

  return ::lstat(path.c_str(), &found) == 0;
}

} // namespace replicant::test
