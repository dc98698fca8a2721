// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/replication_frame.hpp"
#include "replicant/tests/core/assembly/assembler_fixture.hpp"
#include "replicant/tests/support/fixture_file.hpp"
#include "replicant/tests/support/memory_spill.hpp"

#include <catch2/catch.hpp>

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

/// The frames of a recording, so many to a chunk; a keepalive closes one, as it does on a socket.
std::vector<std::shared_ptr<const chunk>> chunks_of(const std::string& fixture,
                                                    std::size_t frames_each) {
  std::vector<std::shared_ptr<const chunk>> all;
  auto filling = std::make_shared<chunk>();
  std::size_t frames = 0;
  const auto close = [&] {
    if (!filling->empty())
      all.push_back(std::exchange(filling, std::make_shared<chunk>()));
    frames = 0;
  };
  for (const auto& bytes : load_fixture(fixture)) {
    const auto frame = decode_frame(bytes);
    REQUIRE(frame);
    if (const auto* const alive = std::get_if<keepalive>(&*frame)) {
      filling->mark = watermark::before(alive->wal_end);
      close();
      continue;
    }
    filling->append(bytes);
    if (++frames == frames_each)
      close();
  }
  close();
  return all;
}

lines told_by(const std::string& fixture, const open_rules& rules, std::size_t frames_each) {
  stream_assembler fold{watermark{}, false, {}, rules};
  lines all;
  for (const auto& part : chunks_of(fixture, frames_each)) {
    const auto made = fold.consume(part);
    REQUIRE(made);
    const auto more = told(*made);
    all.insert(all.end(), more.begin(), more.end());
  }
  CHECK(fold.open_transactions() == 0);
  CHECK(fold.open_bytes() == 0);
  return all;
}

/// What the server tells of the transactions when they are over.
lines whole(const std::string& major) {
  return told_by("streams_" + major + "_text", rules_of(major, false), 1000);
}

/// What streams tell beyond that: a message of a subtransaction that was rolled back, which nobody
/// can know from what the server sends (tests/fixtures/streams.sql).
lines without_what_nobody_can_know(lines all) {
  CHECK(std::erase(all, "1 message rolled back") == 1);
  return all;
}

} // namespace

TEST_CASE("recorded streams come to the same as the transactions sent whole", "[assembly][unit]") {
  const std::string major = GENERATE(from_range(std::begin(majors), std::end(majors)));
  const auto frames_each = GENERATE(std::size_t{1}, std::size_t{7}, std::size_t{1000});
  CAPTURE(major, frames_each);
  const auto right = whole(major);
  CHECK(right.size() > 30);
  CHECK(without_what_nobody_can_know(
          told_by("streams_" + major + "_streamed", rules_of(major, true), frames_each)) == right);
}

TEST_CASE("recorded streams come to the same when everything is spilled", "[assembly][unit]") {
  const std::string major = GENERATE(from_range(std::begin(majors), std::end(majors)));
  CAPTURE(major);
  const auto disk = std::make_shared<memory_spill>();
  auto rules = rules_of(major, true);
  rules.max_inflight_bytes = 1;
  rules.spill = disk;
  CHECK(without_what_nobody_can_know(told_by("streams_" + major + "_streamed", rules, 1)) ==
        whole(major));
  CHECK(disk->created.size() > 10);
  CHECK(disk->files() == 0);
}
