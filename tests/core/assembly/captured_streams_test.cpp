// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/replication_frame.hpp"
#include "replicant/tests/core/assembly/assembler_fixture.hpp"
#include "replicant/tests/support/fixture_file.hpp"
#include "replicant/tests/support/memory_spill.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace replicant;
using namespace replicant::test;

namespace {

using lines = std::vector<std::string>;

constexpr const char* majors[] = {"14", "15", "17", "18"};

open_rules rules_of(const std::string& major, bool streaming) {
  return {.dialect = dialect_of(static_cast<std::uint32_t>(std::stoul(major)) * 10'000, streaming)};
}

/// Each frame of a recording in a chunk of its own; of a keepalive only the mark.
std::vector<std::shared_ptr<const chunk>> chunks_of(const std::string& fixture) {
  std::vector<std::shared_ptr<const chunk>> all;
  for (const auto& bytes : load_fixture(fixture)) {
    const auto frame = decode_frame(bytes);
    REQUIRE(frame);
    const auto one = std::make_shared<chunk>();
    if (const auto* const alive = std::get_if<keepalive>(&*frame))
      one->mark = watermark::before(alive->wal_end);
    else
      one->append(bytes);
    all.push_back(one);
  }
  return all;
}

struct outcome {
  lines told;
  std::optional<reason> end; ///< Nothing: it was read to its end.
};

outcome told_by(const std::string& fixture, const open_rules& rules) {
  stream_assembler fold{watermark{}, false, {}, rules};
  outcome all;
  for (const auto& part : chunks_of(fixture)) {
    const auto made = fold.consume(part);
    if (!made) {
      all.end = made.error().why;
      return all;
    }
    const auto more = told(*made);
    all.told.insert(all.told.end(), more.begin(), more.end());
  }
  CHECK(fold.open_transactions() == 0);
  CHECK(fold.open_bytes() == 0);
  return all;
}

/// What the server tells of the transactions when they are over.
lines whole(const std::string& major) {
  const auto all = told_by("streams_" + major + "_text", rules_of(major, false));
  CHECK_FALSE(all.end);
  CHECK(all.told.size() > 30);
  return all.told;
}

/// The last transaction has a message that was rolled back with a part of it, of which the server
/// does not tell (tests/fixtures/streams.sql): up to there all is the same.
void same_up_to_the_last(const outcome& streamed, const lines& right) {
  CHECK(streamed.end == reason::rollback_undecided);
  constexpr std::ptrdiff_t left = 3; // It, its row, and the message that ends the recording.
  const lines before{right.begin(), right.end() - left};
  CHECK(right.at(before.size() + 1) == "0 0 plain 42 kept");
  CHECK(streamed.told == before);
}

} // namespace

TEST_CASE("recorded streams come to the same as the transactions sent whole", "[assembly][unit]") {
  const std::string major = GENERATE(from_range(std::begin(majors), std::end(majors)));
  CAPTURE(major);
  same_up_to_the_last(told_by("streams_" + major + "_streamed", rules_of(major, true)),
                      whole(major));
}

TEST_CASE("recorded streams come to the same when everything is spilled", "[assembly][unit]") {
  const std::string major = GENERATE(from_range(std::begin(majors), std::end(majors)));
  CAPTURE(major);
  const auto disk = std::make_shared<memory_spill>();
  auto rules = rules_of(major, true);
  rules.max_inflight_bytes = 1;
  rules.spill = disk;
  same_up_to_the_last(told_by("streams_" + major + "_streamed", rules), whole(major));
  CHECK(disk->created.size() > 10);
  CHECK(disk->files() == 0);
}
