// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

using namespace replicant;
using namespace replicant::test;

namespace {

/// Pages of this process that are in memory, in bytes.
std::size_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// A transaction of many rows of which only one is in memory; behind the last one that can be read
/// it breaks off.
class repeated_row final : public transaction_body {
public:
  explicit repeated_row(std::size_t rows, std::size_t readable = SIZE_MAX)
    : rows_{rows}, readable_{readable} {}

  [[nodiscard]] std::unique_ptr<event_cursor> open() const override {
    return std::make_unique<cursor>(rows_, readable_);
  }

  [[nodiscard]] std::size_t size() const override { return rows_; }

private:
  class cursor final : public event_cursor {
  public:
    cursor(std::size_t rows, std::size_t readable) : left_{rows}, readable_{readable} {}

    const event* next() override {
      if (readable_-- == 0)
        throw unreadable_events{{.why = reason::spill_io_failed}};
      return left_-- == 0 ? nullptr : &row_;
    }

  private:
    std::size_t left_;
    std::size_t readable_;
    std::string note_ = std::string(1000, 'n');
    std::vector<cell> cells_{text("1"), text(note_), null_cell};
    event row_ = change{.table = &orders, .record = cells_, .old = {}};
  };

  std::size_t rows_;
  std::size_t readable_;
};

} // namespace

TEST_CASE("a new file goes from empty over prepared to a position", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = open_sink(path);
    REQUIRE(running);
    CHECK(running->checkpoint.memory == sink_memory::empty);
    CHECK(read_file(path).empty());
    REQUIRE(running->sink->handle_stream_start(stream_start::fresh, shop()));
    CHECK(read_file(path) == shop_header);
  }
  {
    const auto running = open_sink(path);
    REQUIRE(running);
    CHECK(running->checkpoint.memory == sink_memory::prepared);
    REQUIRE(running->sink->handle_stream_start(stream_start::fresh, shop()));
    REQUIRE(deliver(*running->sink, one_row(100)));
  }
  const auto running = open_sink(path);
  REQUIRE(running);
  CHECK(running->checkpoint.memory == sink_memory::position);
  CHECK(running->checkpoint.durable == watermark::through(lsn{100}));
  CHECK(read_file(path).starts_with(shop_header));
}

TEST_CASE("only its owner can read a new file beyond the group", "[sinks][unit]") {
  const temp_dir folder;
  const auto running = open_sink(folder / "shop.jsonl");
  REQUIRE(running);
  const auto mode = std::filesystem::status(folder / "shop.jsonl").permissions();
  CHECK((mode & std::filesystem::perms::others_all) == std::filesystem::perms::none);
}

TEST_CASE("a file of another source is refused and left alone", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  { const auto running = started(path); }
  auto opened = jsonl_sink::open({.path = path});
  REQUIRE(opened);
  auto* session = dynamic_cast<session_sink*>(opened->get());
  REQUIRE(session != nullptr);
  auto other_system = shop();
  other_system.system_identifier = "7378697629483820648";
  auto other_database = shop();
  other_database.database = "shop2";
  auto other_slot = shop();
  other_slot.slot_name = "shop_order";
  for (const auto& [other, differs] :
       {std::pair{other_system, "system_identifier"}, std::pair{other_database, "database"},
        std::pair{other_slot, "slot_name"}}) {
    const auto known = session->handle_session_identity(other);
    REQUIRE_FALSE(known);
    CHECK(to_string(known.error()) == std::string{"session_identity_rejected differs="} + differs);
  }
  auto other_timeline = shop();
  other_timeline.timeline = 2;
  CHECK(session->handle_session_identity(other_timeline));
  CHECK(read_file(path) == shop_header);
}

TEST_CASE("nothing is cut before the start is judged safe", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  const auto whole = read_file(path);
  const auto torn = whole + R"({"kind":"begin","xid":7)";
  write_file(path, torn);
  {
    const auto running = open_sink(path);
    REQUIRE(running);
    CHECK(running->checkpoint.durable == watermark::through(lsn{100}));
    CHECK(running->checkpoint.torn_bytes == torn.size() - whole.size());
    CHECK(read_file(path) == torn);
  }
  CHECK(read_file(path) == torn);
  const auto running = started(path);
  CHECK(read_file(path) == whole);
  REQUIRE(deliver(*running.sink, one_row(200)));
  CHECK(read_file(path).starts_with(whole + R"({"kind":"begin")"));
}

TEST_CASE("a commit record that starts exactly at a persisted mark is not skipped",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(running.sink->handle_frontier(watermark::before(lsn{100})));
    REQUIRE(running.sink->make_durable());
  }
  {
    const auto running = started(path);
    CHECK(running.checkpoint.durable == watermark::before(lsn{100}));
    REQUIRE(deliver(*running.sink, one_row(100)));
    REQUIRE(running.sink->handle_message({.at = lsn{200}, .prefix = "p", .content = "c"}));
    REQUIRE(running.sink->make_durable());
  }
  const auto running = started(path);
  // PostgreSQL reports the end of a message's record: the next record may start there.
  CHECK_FALSE(running.checkpoint.durable.covers(lsn{200}));
  CHECK(running.checkpoint.durable.acknowledged() == lsn{200});
  REQUIRE(deliver(*running.sink, one_row(200)));
  const auto again = read_file(path);
  CHECK(again.find(R"("commit_lsn":"0/64")") != std::string::npos);
  CHECK(again.find(R"("commit_lsn":"0/C8")") != std::string::npos);
}

TEST_CASE("a commit record that starts exactly at a mark of the same run is not skipped",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto running = started(folder / "shop.jsonl");
  REQUIRE(running.sink->handle_frontier(watermark::before(lsn{100})));
  REQUIRE(running.sink->handle_transaction(one_row(100)));
  REQUIRE(running.sink->handle_message({.at = lsn{200}, .prefix = "p", .content = "c"}));
  REQUIRE(deliver(*running.sink, one_row(200)));
  const auto bytes = read_file(folder / "shop.jsonl");
  CHECK(bytes.find(R"("commit_lsn":"0/64")") != std::string::npos);
  CHECK(bytes.find(R"("commit_lsn":"0/C8")") != std::string::npos);
}

TEST_CASE("what the file already holds is skipped", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
    REQUIRE(running.sink->handle_message({.at = lsn{200}, .prefix = "p", .content = "c"}));
    REQUIRE(running.sink->handle_frontier(watermark::before(lsn{300})));
    REQUIRE(running.sink->make_durable());
  }
  const auto whole = read_file(path);
  const auto running = started(path);
  REQUIRE(deliver(*running.sink, one_row(100)));
  REQUIRE(running.sink->handle_message({.at = lsn{200}, .prefix = "p", .content = "c"}));
  REQUIRE(running.sink->handle_frontier(watermark::before(lsn{300})));
  REQUIRE(running.sink->handle_frontier(watermark::before(lsn{250})));
  REQUIRE(running.sink->make_durable());
  CHECK(read_file(path) == whole);
}

TEST_CASE("rows wait in memory until they are made durable together", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(path);
  for (std::uint64_t commit = 100; commit < 200; ++commit)
    REQUIRE(running.sink->handle_transaction(one_row(commit)));
  CHECK(read_file(path) == shop_header);
  REQUIRE(running.sink->make_durable());
  std::ifstream lines{path};
  std::size_t commits = 0;
  for (std::string line; std::getline(lines, line);)
    commits += nlohmann::json::parse(line)["kind"] == "commit" ? 1 : 0;
  CHECK(commits == 100);
}

TEST_CASE("what was not made durable is not written at the end", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(running.sink->handle_transaction(one_row(100)));
  }
  CHECK(read_file(path) == shop_header);
}

TEST_CASE("rows may wait for a sync as long as the sink was told", "[sinks][unit]") {
  const temp_dir folder;
  for (const auto interval : {std::chrono::milliseconds{0}, std::chrono::milliseconds{250}}) {
    auto opened = jsonl_sink::open({.path = folder / "a", .interval = interval});
    REQUIRE(opened);
    CHECK(dynamic_cast<deferred_sink&>(**opened).durability_interval() == interval);
  }
}

TEST_CASE("a transaction larger than memory is written in pieces", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(path);
  // Warm up, so that what stays allocated anyway is not counted.
  REQUIRE(deliver(*running.sink, {1, lsn{50}, {}, std::make_shared<repeated_row>(1000)}));
  const auto before = resident_bytes();
  constexpr std::size_t rows = 64 * 1024;
  REQUIRE(deliver(*running.sink, {1, lsn{100}, {}, std::make_shared<repeated_row>(rows)}));
  const auto after = resident_bytes();
  CHECK(std::filesystem::file_size(path) > rows * 1000);
  CHECK(after - std::min(after, before) < 2 * 1024 * 1024);

  std::filesystem::copy_file(path, folder / "copy");
  const auto copy = jsonl_file::open(folder / "copy");
  REQUIRE(copy);
  const auto found = recover(*copy, std::nullopt);
  REQUIRE(found);
  CHECK(found->durable == watermark::through(lsn{100}));
  CHECK(resident_bytes() - std::min(resident_bytes(), before) < 2 * 1024 * 1024);
}

TEST_CASE("a transaction that cannot be read to its end is not in the file after the next start",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  std::string whole;
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
    whole = read_file(path);
    const transaction lost{7, lsn{200}, {}, std::make_shared<repeated_row>(2000, 1000)};
    CHECK(running.sink->handle_transaction(lost).error().why == reason::spill_io_failed);
    CHECK(read_file(path).size() > whole.size());
    // Nothing may follow half a transaction.
    CHECK(running.sink->handle_transaction(one_row(300)).error().why == reason::spill_io_failed);
    CHECK_FALSE(running.sink->make_durable());
  }
  const auto again = started(path);
  CHECK(again.checkpoint.durable == watermark::through(lsn{100}));
  CHECK(read_file(path) == whole);
}

TEST_CASE("a transaction that fails half-way is not in the file after the next start",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const std::string big(400 * 1024, 'b');
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
    const auto broken = transaction_builder{lsn{200}}
                          .insert(orders, {text("1"), text(big), null_cell})
                          .insert(orders, {cell{cell_kind::binary, "x"}, text("2"), null_cell})
                          .build();
    const auto done = running.sink->handle_transaction(broken);
    REQUIRE_FALSE(done);
    CHECK(done.error().why == reason::binary_unreadable);
    // Nothing may follow half a transaction.
    CHECK(running.sink->handle_transaction(one_row(300)).error().why == reason::binary_unreadable);
    CHECK(running.sink->handle_frontier(watermark::before(lsn{300})).error().why ==
          reason::binary_unreadable);
    CHECK(
      running.sink->handle_message({.at = lsn{300}, .prefix = "p", .content = "c"}).error().why ==
      reason::binary_unreadable);
    CHECK(running.sink->make_durable().error().why == reason::binary_unreadable);
  }
  CHECK(read_file(path).size() > big.size());
  const auto running = started(path);
  CHECK(running.checkpoint.durable == watermark::through(lsn{100}));
  CHECK(read_file(path).size() < big.size());
}
