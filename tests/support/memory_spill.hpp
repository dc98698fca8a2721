// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/assembly/spill.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant::test {

/// A place to spill that looks like a disk and is none, for tests of the rules.
class memory_spill final : public spill_area {
public:
  explicit memory_spill(std::uint64_t limit = std::numeric_limits<std::uint64_t>::max())
    : limit_{limit} {}

  [[nodiscard]] result<std::shared_ptr<spill_file>> create(std::uint32_t xid) override {
    if (full)
      return failure(reason::spill_io_failed);
    created.push_back(xid);
    return std::make_shared<file>(*this, shared_);
  }

  [[nodiscard]] std::uint64_t bytes() const override { return shared_->bytes; }

  [[nodiscard]] std::uint64_t limit() const override { return limit_; }

  /// How many files exist.
  [[nodiscard]] int files() const { return shared_->files; }

  std::vector<std::uint32_t> created; ///< The transactions, in order.
  bool full = false;                  ///< Writing fails.
  bool damaged = false;               ///< Reading fails behind the first block.

private:
  struct usage {
    std::uint64_t bytes = 0;
    int files = 0;
  };

  class reader final : public spill_reader {
  public:
    reader(const std::vector<std::string>& blocks, bool damaged)
      : blocks_{&blocks}, damaged_{damaged} {}

    [[nodiscard]] result<std::optional<std::string_view>> next() override {
      if (damaged_ && at_ == 1)
        return failure(reason::spill_io_failed);
      if (at_ == blocks_->size())
        return std::optional<std::string_view>{};
      return std::optional<std::string_view>{(*blocks_)[at_++]};
    }

  private:
    const std::vector<std::string>* blocks_;
    bool damaged_;
    std::size_t at_ = 0;
  };

  class file final : public spill_file {
  public:
    file(memory_spill& owner, std::shared_ptr<usage> shared)
      : owner_{&owner}, shared_{std::move(shared)} {
      ++shared_->files;
    }

    file(const file&) = delete;
    file& operator=(const file&) = delete;
    file(file&&) = delete;
    file& operator=(file&&) = delete;

    ~file() override {
      shared_->bytes -= bytes_;
      --shared_->files;
    }

    [[nodiscard]] result<void> append(std::string_view block) override {
      if (owner_->full)
        return failure(reason::spill_io_failed);
      if (shared_->bytes + block.size() > owner_->limit_)
        return failure(
          fault{.why = reason::spill_exhausted, .facts = {fact{fact_kind::limit, owner_->limit_}}});
      blocks_.emplace_back(block);
      bytes_ += block.size();
      shared_->bytes += block.size();
      return {};
    }

    [[nodiscard]] std::unique_ptr<spill_reader> read() const override {
      return std::make_unique<reader>(blocks_, owner_->damaged);
    }

    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

  private:
    memory_spill* owner_;
    std::shared_ptr<usage> shared_;
    std::vector<std::string> blocks_;
    std::uint64_t bytes_ = 0;
  };

  std::uint64_t limit_;
  std::shared_ptr<usage> shared_ = std::make_shared<usage>();
};

} // namespace replicant::test
