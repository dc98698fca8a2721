// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace replicant {

/// Memory for parts of a text that had to be unescaped: what stands in it never moves.
class unescaped_text {
public:
  unescaped_text() = default;

  /// For up to `most` characters in all. Allocates only when there are any.
  explicit unescaped_text(std::size_t most) : most_{most} {}

  void append(std::string_view part) {
    if (memory_ == nullptr) {
      memory_ = std::make_unique<std::string>();
      memory_->reserve(most_);
    }
    memory_->append(part);
  }

  /// What was appended since the last call.
  [[nodiscard]] std::string_view take() {
    const auto start = std::exchange(taken_, memory_->size());
    return std::string_view{*memory_}.substr(start);
  }

  /// Appends `part` and takes it.
  [[nodiscard]] std::string_view keep(std::string_view part) {
    append(part);
    return take();
  }

  /// Hands over the memory, with everything that was taken from it.
  [[nodiscard]] std::unique_ptr<std::string> release() { return std::move(memory_); }

private:
  std::unique_ptr<std::string> memory_;
  std::size_t most_ = 0;
  std::size_t taken_ = 0;
};

} // namespace replicant
