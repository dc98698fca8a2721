// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/line_reader.hpp"
#include "replicant/actors/sinks/jsonl/recovery.hpp"
#include "replicant/tests/sinks/jsonl_fixture.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <vector>

using namespace replicant;
using namespace replicant::test;

namespace {

/// A file as the sink wrote it, and where its units end.
struct written_file {
  std::string bytes;

  struct boundary {
    std::size_t end = 0;
    std::optional<watermark> durable;
    std::vector<state_entry> state{};
  };

  std::vector<boundary> units; ///< The header's end first.

  /// The last boundary at or below `length`.
  [[nodiscard]] const boundary& whole_at(std::size_t length) const {
    auto found = units.end();
    while (found != units.begin() && (found - 1)->end > length)
      --found;
    REQUIRE(found != units.begin());
    return *(found - 1);
  }
};

enum class contents : std::uint8_t {
  everything,
  transactions,
};

written_file write_units(const std::string& path, contents what) {
  written_file file;
  auto running = started(path);
  kept_state known;
  const auto remember = [&](state_entry entry) {
    if (what != contents::everything)
      return;
    REQUIRE(running.sink->handle_state(entry));
    known.take(std::move(entry), 0);
  };
  const auto note = [&](std::optional<watermark> durable) {
    REQUIRE(running.sink->make_durable());
    file.units.push_back({read_file(path).size(), durable, known.entries()});
  };
  const auto take = [&](const transaction& txn) {
    REQUIRE(running.sink->handle_transaction(txn));
    note(watermark::through(txn.commit_lsn));
  };
  note(std::nullopt);
  take(one_row(100));
  remember({"schema.16385", "shape"});
  remember({"other", std::string{"\0\n\xff", 3}});
  take(transaction_builder{lsn{200}}
         .insert(orders, {text("1"), text("line\nbreak"), null_cell})
         .message(lsn{150}, "p", "content")
         .remove(orders, old_image::key, {text("1"), null_cell, null_cell})
         .build());
  if (what == contents::everything) {
    remember({"schema.16385", "another shape"});
    REQUIRE(running.sink->handle_message({.at = lsn{300}, .prefix = "a\"b", .content = "xyz"}));
    note(watermark::before(lsn{300}));
    remember({"other", ""});
    REQUIRE(running.sink->handle_frontier(watermark::before(lsn{400})));
    note(watermark::before(lsn{400}));
    remember({"long", std::string(line_reader::kept_head, 'l')});
    take(one_row(400));
    REQUIRE(running.sink->handle_frontier(watermark::before(lsn{0x1'0000'0000})));
    note(watermark::before(lsn{0x1'0000'0000}));
  }
  take(one_row(0x1'0000'0000));
  file.bytes = read_file(path);
  REQUIRE(file.units.back().end == file.bytes.size());
  return file;
}

result<recovered_file> recover_path(const std::string& path,
                                    const std::optional<sync_hint>& hint = {}) {
  const auto file = jsonl_file::open(path);
  REQUIRE(file);
  return recover(*file, hint);
}

} // namespace

TEST_CASE("a file cut anywhere is whole up to its last unit", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto file = write_units(path, contents::everything);
  const auto header_end = file.units.front().end;
  for (auto length = file.bytes.size(); length >= header_end; --length) {
    std::filesystem::resize_file(path, length);
    const auto found = recover_path(path);
    REQUIRE(found);
    const auto& expected = file.whole_at(length);
    REQUIRE(found->header);
    REQUIRE(found->header->source.slot_name == "shop_orders");
    REQUIRE(found->length == expected.end);
    REQUIRE(found->torn == length - expected.end);
    REQUIRE(found->durable == expected.durable);
    REQUIRE((found->state.entries() == expected.state));
  }
  for (auto length = header_end - 1; length > 0; --length) {
    std::filesystem::resize_file(path, length);
    const auto found = recover_path(path);
    REQUIRE(found);
    REQUIRE_FALSE(found->header);
    REQUIRE(found->length == 0);
    REQUIRE(found->torn == length);
    REQUIRE_FALSE(found->durable);
  }
}

TEST_CASE("a changed byte ends the whole part before its transaction", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto file = write_units(path, contents::transactions);
  const auto header_end = file.units.front().end;
  for (const auto flip : {0x01, 0x04, 0x80})
    for (auto at = header_end; at < file.bytes.size(); ++at) {
      const auto right = file.bytes[at];
      patch_file(path, at, std::string(1, static_cast<char>(right ^ flip)));
      const auto found = recover_path(path);
      patch_file(path, at, {&right, 1});
      REQUIRE(found);
      REQUIRE(found->length == file.whole_at(at).end);
      REQUIRE(found->durable == file.whole_at(at).durable);
    }
}

TEST_CASE("a changed byte of the header is never taken for another valid file", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto file = write_units(path, contents::transactions);
  for (std::size_t at = 0; at < file.units.front().end; ++at) {
    auto bytes = file.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x01);
    write_file(path, bytes);
    const auto running = open_sink(path);
    REQUIRE_FALSE(running);
    const auto why = running.error().why;
    REQUIRE((why == reason::sink_unreadable || why == reason::session_identity_rejected));
    REQUIRE(read_file(path) == bytes);
  }
}

TEST_CASE("pages that never reached the disk end the whole part", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto file = write_units(path, contents::everything);
  for (auto at = file.units.front().end; at < file.bytes.size(); at += 3)
    for (const std::size_t size : {1, 64, 512}) {
      const auto right = file.bytes.substr(at, size);
      patch_file(path, at, std::string(right.size(), '\0'));
      const auto found = recover_path(path);
      patch_file(path, at, right);
      REQUIRE(found);
      REQUIRE(found->length == file.whole_at(at).end);
      REQUIRE(found->durable == file.whole_at(at).durable);
      REQUIRE((found->state.entries() == file.whole_at(at).state));
    }
}

TEST_CASE("pages that read as zeros at the end are a torn tail", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto file = write_units(path, contents::everything);
  std::filesystem::resize_file(path, file.bytes.size() + 4096);
  const auto found = recover_path(path);
  REQUIRE(found);
  CHECK(found->length == file.bytes.size());
  CHECK(found->torn == 4096);
  CHECK(found->durable == file.units.back().durable);
}

TEST_CASE("a position that does not ascend is not part of the file", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const auto file = write_units(path, contents::transactions);
  const auto first = file.units[0].end;
  const auto repeated = file.bytes.substr(first, file.units[1].end - first);
  for (const auto& tail : {repeated, std::string{R"({"kind":"progress","lsn":"0/64"})"} + "\n"}) {
    write_file(path, file.bytes + tail);
    const auto found = recover_path(path);
    REQUIRE(found);
    CHECK(found->length == file.bytes.size());
    CHECK(found->torn == tail.size());
  }
}

TEST_CASE("a line longer than any buffer is read in pieces", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const std::string huge(3 * 1024 * 1024, 'h');
  {
    auto running = started(path);
    REQUIRE(running.sink->handle_transaction(one_row(100, huge)));
    REQUIRE(running.sink->handle_message({.at = lsn{200}, .prefix = huge, .content = huge}));
    REQUIRE(running.sink->make_durable());
  }
  auto found = recover_path(path);
  REQUIRE(found);
  CHECK(found->durable == watermark::before(lsn{200}));
  CHECK(found->torn == 0);

  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  found = recover_path(path);
  REQUIRE(found);
  CHECK(found->durable == watermark::through(lsn{100}));
}

TEST_CASE("a file that is not ours is refused and left alone", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "notes.txt";
  const auto other_format =
    std::string{
      R"({"kind":"header","format":2,"system_identifier":"1","database":"d","slot_name":"s"})"} +
    "\n";
  for (const std::string& bytes :
       {std::string{"\n"}, std::string{"dear diary"}, std::string{"dear diary\n"}, other_format,
        std::string{R"({"kind":"begin","xid":1})"} + "\n", std::string(5000, '\0'),
        std::string{shop_header}.substr(1), std::string{"{\"kind\"\0:", 9}}) {
    write_file(path, bytes);
    const auto running = open_sink(path);
    REQUIRE_FALSE(running);
    CHECK(running.error().why == reason::sink_unreadable);
    CHECK(read_file(path) == bytes);
  }
}

TEST_CASE("a header that a crash tore is nothing", "[sinks][unit]") {
  const temp_dir folder;
  const auto path = folder / "shop.jsonl";
  const std::string header{shop_header.substr(0, shop_header.size() - 1)};
  for (const std::string& bytes :
       {header.substr(0, 1), header, header.substr(0, 70) + std::string(20, '\0'),
        std::string(200, '\0')}) {
    write_file(path, bytes);
    auto running = open_sink(path);
    REQUIRE(running);
    CHECK(running->checkpoint.memory == sink_memory::empty);
    CHECK(read_file(path) == bytes);
    REQUIRE(running->sink->handle_stream_start(stream_start::fresh, shop()));
    CHECK(read_file(path) == shop_header);
  }
}
