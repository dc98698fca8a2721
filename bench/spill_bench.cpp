// SPDX-License-Identifier: MIT
#include "replicant/bench/spill_bench.hpp"

#include "replicant/actors/files/spill_directory.hpp"
#include "replicant/bench/harness.hpp"
#include "replicant/core/assembly/assembler.hpp"
#include "replicant/tests/support/temp_dir.hpp"

#include <array>
#include <limits>
#include <memory>
#include <string>

namespace replicant::bench {

namespace {

/// Those whose rows come in one transaction.
constexpr std::array names{"narrow", "wide", "updates_full"};

/// Several times what a chunk holds.
backlog large(const char* name) {
  return load_backlog(name, 10 * rows_wanted());
}

/// Real files, as the program has them, in a folder below $TMPDIR.
class disk {
public:
  /// Rules by which each chunk goes to disk at its end: the credit is next to nothing.
  [[nodiscard]] open_rules spill_everything() const {
    return {.max_inflight_bytes = 1, .spill = area_};
  }

  void require_spilled() const {
    if (area_->bytes() == 0)
      refuse("nothing was spilled");
  }

private:
  test::temp_dir folder_;
  std::shared_ptr<spill_area> area_ = std::make_shared<spill_directory>(
    folder_ / "spill", std::numeric_limits<std::uint64_t>::max(),
    session_identity{.system_identifier = "1", .slot_name = "bench"});
};

void assemble_by(::benchmark::State& state, const backlog& source, const open_rules& rules) {
  for (auto _ : state) {
    auto made = transactions_of(source, rules);
    ::benchmark::DoNotOptimize(made);
  }
  report(state, source.rows, source.bytes);
}

void keep(::benchmark::State& state, const char* name) {
  assemble_by(state, large(name), {});
}

/// Writing the file, and removing it.
void spill(::benchmark::State& state, const char* name) {
  const disk files;
  const auto source = large(name);
  {
    const auto kept = transactions_of(source, files.spill_everything());
    files.require_spilled();
  }
  assemble_by(state, source, files.spill_everything());
}

void read_by(::benchmark::State& state, const backlog& source,
             const std::vector<transaction>& transactions) {
  for (auto _ : state) {
    std::size_t seen = 0;
    for (const auto& txn : transactions)
      for (const auto& one : txn.events()) {
        ::benchmark::DoNotOptimize(&one);
        ++seen;
      }
    if (seen != source.rows)
      refuse("rows are missing");
  }
  report(state, source.rows, source.bytes);
}

void read_kept(::benchmark::State& state, const char* name) {
  const auto source = large(name);
  read_by(state, source, transactions_of(source));
}

/// One pass of a sink over what lies on disk; the kernel has it in memory.
void read_spilled(::benchmark::State& state, const char* name) {
  const disk files;
  const auto source = large(name);
  const auto transactions = transactions_of(source, files.spill_everything());
  files.require_spilled();
  read_by(state, source, transactions);
}

} // namespace

void add_spilling() {
  add("large/keep", keep, names);
  add("large/spill", spill, names);
  add("large/read_kept", read_kept, names);
  add("large/read_spilled", read_spilled, names);
}

} // namespace replicant::bench
