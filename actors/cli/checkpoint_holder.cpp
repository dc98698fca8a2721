// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/checkpoint_holder.hpp"

#include "replicant/actors/cli/sink_choice.hpp"
#include "replicant/actors/sinks/jsonl/readable_file.hpp"
#include "replicant/actors/sinks/jsonl/set_aside.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace replicant::cli {

namespace {

class file_holder final : public checkpoint_holder {
public:
  explicit file_holder(std::string path) : path_{std::move(path)} {}

  [[nodiscard]] std::string where() const override { return "the file " + path_; }

  [[nodiscard]] std::string what_becomes() const override {
    return "the file and its closed files are kept, with .before-<moment> behind their names";
  }

  [[nodiscard]] result<held_position> look() override {
    auto seen = inspect(path_);
    if (!seen && is_absence(seen.error()))
      return held_position{};
    if (!seen)
      return failure(seen.error());
    return held_position{.source = std::move(seen->source),
                         .durable = seen->durable,
                         .details = "closed files: " + std::to_string(seen->archives.size())};
  }

  [[nodiscard]] result<void> expect_free() override { return expect_unlocked(path_); }

  [[nodiscard]] result<std::string> replace(const session_identity& source,
                                            watermark reached) override {
    return told(begin_anew(path_, aside_suffix(std::chrono::system_clock::now()), source, reached));
  }

  [[nodiscard]] result<std::string> forget() override {
    return told(set_aside(path_, aside_suffix(std::chrono::system_clock::now())));
  }

private:
  static result<std::string> told(const result<std::vector<std::string>>& moved) {
    if (!moved)
      return failure(moved.error());
    std::string text;
    for (const auto& one : *moved)
      text.append(text.empty() ? "kept: " : ", ").append(one);
    return text;
  }

  std::string path_;
};

class store_holder final : public checkpoint_holder {
public:
  explicit store_holder(const pipeline_settings& pipeline)
    : table_{pipeline.checkpoint_store->table},
      slot_name_{pipeline.slot_name},
      store_{store_of(pipeline)} {}

  [[nodiscard]] std::string where() const override {
    return "the row of slot " + slot_name_ + " in table " + table_ + " of the checkpoint store";
  }

  [[nodiscard]] std::string what_becomes() const override {
    return "the row is overwritten or removed; state goes with it, unless the server stays the "
           "same and the position does not go back";
  }

  [[nodiscard]] result<held_position> look() override {
    auto seen = store_.look();
    if (!seen)
      return failure(seen.error());
    seen_ = seen->stored;
    held_position held{.source = seen_.source, .durable = std::nullopt, .details = {}};
    if (seen_.held.memory == sink_memory::position)
      held.durable = seen_.held.durable;
    held.details = "written " + seen->updated_at +
                   ", entries of state: " + std::to_string(seen_.held.state.size());
    return held;
  }

  /// Whoever is at work holds the slot.
  [[nodiscard]] result<void> expect_free() override { return {}; }

  [[nodiscard]] result<std::string> replace(const session_identity& source,
                                            watermark reached) override {
    const auto done = store_.replace(seen_, source, reached);
    return done ? result<std::string>{std::string{}} : failure(done.error());
  }

  [[nodiscard]] result<std::string> forget() override {
    const auto done = store_.forget(seen_);
    return done ? result<std::string>{std::string{}} : failure(done.error());
  }

private:
  std::string table_;
  std::string slot_name_;
  postgres::checkpoint_table store_;
  stored_checkpoint seen_; ///< By the last `look`.
};

} // namespace

std::unique_ptr<checkpoint_holder> holder_of(const pipeline_settings& pipeline) {
  if (pipeline.checkpoint_store)
    return std::make_unique<store_holder>(pipeline);
  if (auto file = kept_file(pipeline))
    return std::make_unique<file_holder>(std::move(*file));
  return nullptr;
}

postgres::checkpoint_table store_of(const pipeline_settings& pipeline) {
  return postgres::checkpoint_table{pipeline.checkpoint_store->conninfo,
                                    pipeline.checkpoint_store->table, pipeline.slot_name};
}

} // namespace replicant::cli
