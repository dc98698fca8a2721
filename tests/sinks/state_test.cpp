// SPDX-License-Identifier: MIT
#include "replicant/core/delivery/jsonl_names.hpp"
#include "replicant/tests/sinks/rotated_set.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace replicant;
using namespace replicant::test;

namespace {

using entries = std::vector<state_entry>;

result<void> remember(const running_sink& running, std::string_view name,
                      std::string_view content) {
  return running.sink->handle_state({std::string{name}, std::string{content}});
}

/// A set whose live file begins with the state that `orders` and `items` have left.
void make_set_with_state(const std::string& path) {
  const auto running = started(rotated(path));
  REQUIRE(remember(running, "orders", "first"));
  REQUIRE(deliver(*running.sink, one_row(100)));
  REQUIRE(remember(running, "items", std::string(6000, 'i')));
  REQUIRE(deliver(*running.sink, one_row(200)));
}

const entries left_behind{{"items", std::string(6000, 'i')}, {"orders", "first"}};

} // namespace

TEST_CASE("state stands directly ahead of the unit that it belongs to", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(path);
  REQUIRE(remember(running, "schema.2", "two"));
  REQUIRE(remember(running, "schema.1", "old"));
  REQUIRE(remember(running, "schema.1", "one"));
  REQUIRE(running.sink->make_durable());
  CHECK(read_file(path) == shop_header);
  REQUIRE(running.sink->handle_frontier(watermark::before(lsn{50})));
  REQUIRE(running.sink->make_durable());
  const std::string progress = R"({"kind":"progress","lsn":"0/31"})"
                               "\n";
  const auto before = lines_of({{"schema.1", "one"}, {"schema.2", "two"}}) + progress;
  CHECK(body_of(path) == before);
  REQUIRE(remember(running, "schema.1", "more"));
  REQUIRE(deliver(*running.sink, one_row(100)));
  CHECK(
    body_of(path).starts_with(before + lines_of({{"schema.1", "more"}}) + R"({"kind":"begin",)"));
  CHECK(started(folder / "other").checkpoint.state.empty());
}

TEST_CASE("what the file holds already is not written again", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(remember(running, "orders", "shape"));
    REQUIRE(deliver(*running.sink, one_row(100)));
    REQUIRE(remember(running, "orders", "shape"));
    REQUIRE(remember(running, "items", ""));
    REQUIRE(deliver(*running.sink, one_row(200)));
  }
  const auto running = started(path);
  CHECK((running.checkpoint.state == entries{{"orders", "shape"}}));
  REQUIRE(remember(running, "orders", "other"));
  REQUIRE(remember(running, "orders", "shape"));
  REQUIRE(deliver(*running.sink, one_row(300)));
  const auto body = body_of(path);
  CHECK(body.find(state_line_start) == body.rfind(state_line_start));
}

TEST_CASE("state with a unit that the file holds already goes with the next", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  const auto whole = read_file(path);
  {
    const auto running = started(path);
    REQUIRE(remember(running, "orders", "shape"));
    REQUIRE(deliver(*running.sink, one_row(100)));
    CHECK(read_file(path) == whole);
  }
  const auto running = started(path);
  CHECK(running.checkpoint.state.empty());
  REQUIRE(remember(running, "orders", "shape"));
  REQUIRE(deliver(*running.sink, one_row(100)));
  REQUIRE(deliver(*running.sink, one_row(200)));
  CHECK(read_file(path).starts_with(whole + lines_of({{"orders", "shape"}})));
}

TEST_CASE("state whose unit is not whole is cut off with it", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(remember(running, "orders", "first"));
    REQUIRE(deliver(*running.sink, one_row(100)));
  }
  const auto whole = read_file(path);
  const auto state = lines_of({{"orders", "second"}, {"items", "new"}});
  for (const auto* tail : {"", R"({"kind":"begin","xid":1,"commit_lsn":"0/C8","commit_time":"x"})",
                           R"({"kind":"progress","lsn":"0/64"})"
                           "\n",
                           R"({"kind":"progress","lsn":"0/65"})"}) {
    write_file(path, whole + state + tail);
    const auto running = started(path);
    CHECK((running.checkpoint.state == entries{{"orders", "first"}}));
    CHECK(running.checkpoint.torn_bytes == state.size() + std::string_view{tail}.size());
    CHECK(read_file(path) == whole);
  }
}

TEST_CASE("whatever the hint says, the state is the same", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto hint_file = hint_path(path);
  const auto rotates = GENERATE(false, true);
  std::vector<std::string> hints;
  if (rotates)
    make_set_with_state(path);
  for (const std::uint64_t commit : {300, 400, 500}) {
    const auto running = started(path);
    REQUIRE(remember(running, "a", "as of " + std::to_string(commit)));
    REQUIRE(remember(running, commit == 300 ? "long" : "b", std::string(commit * 100, 'l')));
    if (commit == 400)
      REQUIRE(remember(running, "gone", "soon"));
    REQUIRE(remember(running, "gone", commit == 400 ? "soon" : ""));
    REQUIRE(deliver(*running.sink, one_row(commit)));
    hints.push_back(read_file(hint_file));
  }
  hints.push_back(read_file(hint_file));
  const auto good = hints.back();
  const auto places = good.substr(good.find("\"state\":[") + 9);
  const auto with_places = [&](std::string_view other) {
    auto hint = good;
    return hint.replace(hint.find("\"state\":[") + 9, places.size(), other);
  };
  CHECK(read_sync_hint(*readable_file::open(path))->state.size() == (rotates ? 5U : 3U));
  for (const std::string other :
       {"]}\n", "0]}\n", "1]}\n", "18446744073709551615]}\n", "18446744073709551616]}\n"})
    hints.push_back(with_places(other));
  hints.push_back(with_places("1," + places));
  hints.push_back(with_places(places.substr(0, places.find(',') + 1) + places));
  hints.push_back(with_places(places.substr(0, places.size() / 2)));
  hints.push_back(with_places(std::string(places.size(), '\0')));
  hints.emplace_back();
  auto expected = entries{{"a", "as of 500"}, {"b", std::string(50'000, 'l')}};
  if (rotates)
    expected.insert(expected.end(), left_behind.begin(), left_behind.begin() + 1);
  expected.push_back({"long", std::string(30'000, 'l')});
  if (rotates)
    expected.push_back(left_behind.back());
  for (const auto& hint : hints) {
    INFO(hint);
    write_file(hint_file, hint);
    const auto opened = open_sink(path);
    REQUIRE(opened);
    CHECK(opened->checkpoint.durable == watermark::through(lsn{500}));
    CHECK((opened->checkpoint.state == expected));
  }
}

TEST_CASE("state is found where the hint says, without a walk", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(remember(running, "orders", "shape"));
    for (const std::uint64_t commit : {100, 200, 300})
      REQUIRE(deliver(*running.sink, one_row(commit)));
  }
  // Damage that a walk would meet shows that there was none.
  patch_file(path, read_file(path).find(R"("commit_lsn":"0/C8")"), "X");
  CHECK((started(path).checkpoint.state == entries{{"orders", "shape"}}));
  std::filesystem::remove(hint_path(path));
  CHECK(open_sink(path)->checkpoint.durable == watermark::through(lsn{100}));
}

TEST_CASE("a hint is left behind only with what it knows of the state", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  {
    const auto running = started(path);
    REQUIRE(remember(running, "orders", "first"));
    REQUIRE(deliver(*running.sink, one_row(100)));
    REQUIRE(remember(running, "orders", "second"));
    REQUIRE(running.sink->handle_transaction(one_row(200)));
  }
  const auto running = started(path);
  CHECK(running.checkpoint.durable == watermark::through(lsn{100}));
  CHECK((running.checkpoint.state == entries{{"orders", "first"}}));
}

TEST_CASE("a file that follows begins with all that is remembered", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  make_set_with_state(path);
  CHECK(parts_of(path).state == lines_of(left_behind));
  CHECK(body_of(path).empty());
  const auto bytes = read_file(path);
  for (const auto* kept : {"archives and hint", "no hint", "no archives", "neither"}) {
    INFO(kept);
    if (kept == std::string_view{"no hint"} || kept == std::string_view{"neither"})
      std::filesystem::remove(hint_path(path));
    if (kept == std::string_view{"no archives"})
      for (const auto& file : files_of(path))
        if (file != path)
          std::filesystem::remove(file);
    const auto running = started(path);
    CHECK((running.checkpoint.state == left_behind));
    CHECK(running.checkpoint.durable == watermark::through(lsn{200}));
    CHECK(read_file(path) == bytes);
  }
  const auto running = started(rotated(path));
  REQUIRE(remember(running, "items", ""));
  REQUIRE(deliver(*running.sink, one_row(300)));
  CHECK(parts_of(path).state == lines_of({{"orders", "first"}}));
  CHECK(inspect(path)->state_entries == 1);
}

TEST_CASE("state that is repeated does not make a file full", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto running = started(rotated(path, 10'000));
  REQUIRE(remember(running, "large", std::string(50'000, 'l')));
  REQUIRE(deliver(*running.sink, one_row(100)));
  CHECK(files_of(path).size() == 2);
  for (std::uint64_t commit = 200; commit < 210; ++commit)
    REQUIRE(deliver(*running.sink, one_row(commit)));
  CHECK(files_of(path).size() == 2);
  REQUIRE(deliver(*running.sink, one_row(300, std::string(10'000, 'r'))));
  CHECK(files_of(path).size() == 3);
}

TEST_CASE("damaged state of a header is refused and left alone", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  make_set_with_state(path);
  std::filesystem::remove(hint_path(path));
  const auto bytes = read_file(path);
  const auto header_end = bytes.find('\n') + 1;
  std::vector<std::string> wrong{bytes.substr(0, header_end), bytes.substr(0, header_end + 50),
                                 bytes.substr(0, bytes.size() - 1)};
  for (const auto at : {header_end, header_end + 40, bytes.size() - 1}) {
    wrong.push_back(bytes);
    wrong.back()[at] = '\0';
  }
  wrong.push_back(bytes);
  wrong.back().replace(header_end - 3, 1, wrong.back()[header_end - 3] == '9' ? "8" : "9");
  for (const auto& damaged : wrong) {
    write_file(path, damaged);
    const auto opened = open_sink(path);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().why == reason::sink_unreadable);
    CHECK(opened.error().facts[0].kind == fact_kind::file_offset);
    CHECK(read_file(path) == damaged);
  }
}

TEST_CASE("a next file that was torn in its state is removed by who wants to rotate",
          "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto next = next_path(path);
  make_set_with_state(path);
  const auto whole = read_file(path);
  const auto header_end = whole.find('\n') + 1;
  auto lost_page = whole;
  lost_page.replace(header_end + 100, 4096, 4096, '\0');
  for (const auto& bytes : {whole, whole.substr(0, header_end), whole.substr(0, whole.size() - 1),
                            whole.substr(0, whole.size() / 2), lost_page}) {
    write_file(next, bytes);
    const auto running = started(rotated(path));
    CHECK_FALSE(std::filesystem::exists(next));
  }
  const auto with_unit = whole + R"({"kind":"progress","lsn":"0/C9"})" + "\n";
  write_file(next, with_unit);
  const auto running = started(rotated(path));
  CHECK(read_file(next) == with_unit);
}
