// SPDX-License-Identifier: MIT
#include "replicant/core/assembly/event_block.hpp"
#include "replicant/core/assembly/transaction_parts.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace replicant;

TEST_CASE("tables are told by the first event that is left of them", "[assembly][unit]") {
  transaction_parts parts;
  parts.add(7, 1);
  parts.add(7, kept_event::no_table);
  parts.add(9, 0);
  parts.add(8, 2);
  parts.add(9, 1);
  parts.add(7, 0);
  CHECK(parts.tables() == std::vector<std::uint32_t>{1, 0, 2});
  parts.roll_back(9);
  CHECK(parts.tables() == std::vector<std::uint32_t>{1, 2, 0});
  parts.roll_back(7);
  CHECK(parts.tables() == std::vector<std::uint32_t>{2});
  CHECK(parts.size() == 1);
}

TEST_CASE("subtransactions are counted and taken out as a simple list would do it",
          "[assembly][unit]") {
  for (auto seed = 1U; seed <= 30U; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random{seed};
    transaction_parts parts;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> events;
    std::set<std::uint32_t> gone;
    for (auto step = 0; step < 500; ++step) {
      // Numbers wrap round at some time.
      const auto xid = static_cast<std::uint32_t>(0U - 20U + random() % 40);
      if (random() % 20 == 0) {
        parts.roll_back(xid);
        if (std::erase_if(events, [&](const auto& one) { return one.first == xid; }) > 0)
          gone.insert(xid);
      } else if (!gone.contains(xid)) {
        const auto table = static_cast<std::uint32_t>(random() % 3);
        parts.add(xid, table);
        events.emplace_back(xid, table);
      }
      REQUIRE(parts.size() == events.size());
    }
    for (auto xid = 0U - 20U; xid != 20U; ++xid)
      REQUIRE(parts.was_rolled_back(xid) == gone.contains(xid));
    std::vector<std::uint32_t> tables;
    for (const auto& [xid, table] : events)
      if (std::ranges::find(tables, table) == tables.end())
        tables.push_back(table);
    REQUIRE(parts.tables() == tables);
  }
}

TEST_CASE("many subtransactions are rolled back in time, whichever goes first",
          "[assembly][unit]") {
  constexpr std::uint32_t many = 300'000;
  const auto backwards = GENERATE(false, true);
  transaction_parts parts;
  for (std::uint32_t xid = 0; xid != many; ++xid)
    parts.add(xid, 0);
  const auto begun = std::chrono::steady_clock::now();
  for (std::uint32_t xid = 0; xid != many; ++xid)
    parts.roll_back(backwards ? many - 1 - xid : xid);
  // Takes milliseconds; a list that moves with each of them takes minutes.
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds{10});
  CHECK(parts.size() == 0);
}

TEST_CASE("events are read back from a block as they were put in", "[assembly][unit]") {
  const std::string zeros(3, '\0');
  event_block block;
  block.append({.tag = 'I', .xid = 5, .table = 0, .body = "row"});
  block.append({.tag = 'M', .xid = 0xFFFFFFFF, .body = ""});
  block.append({.tag = 'T', .xid = 0, .table = 7, .body = zeros});
  event_block_reader reader{block.bytes()};
  const auto first = reader.next();
  CHECK((first->tag == 'I' && first->xid == 5 && first->table == 0 && first->body == "row"));
  const auto second = reader.next();
  CHECK((second->tag == 'M' && second->xid == 0xFFFFFFFF && second->body.empty()));
  CHECK(second->table == kept_event::no_table);
  CHECK(reader.next()->body == zeros);
  CHECK(reader.at_end());
  CHECK_FALSE(reader.next());
}

TEST_CASE("a block that was cut short is not read to its end", "[assembly][unit]") {
  event_block block;
  block.append({.tag = 'I', .xid = 5, .table = 0, .body = "row"});
  for (std::size_t length = 1; length < block.bytes().size(); ++length)
    CHECK_FALSE(event_block_reader{block.bytes().substr(0, length)}.next());
}
