// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/sinks/jsonl/jsonl_sink.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/transaction_builder.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace replicant::test {

inline const relation orders{.oid = 16400,
                             .schema = "public",
                             .name = "orders",
                             .identity = replica_identity::primary_key,
                             .columns = {{.name = "id", .type = 23, .key = true},
                                         {.name = "note", .type = 25},
                                         {.name = "blob", .type = 17}}};

inline session_identity shop() {
  return {.system_identifier = "7378697629483820647",
          .timeline = 1,
          .database = "shop",
          .slot_name = "shop_orders"};
}

inline constexpr std::string_view shop_header =
  R"({"kind":"header","format":1,"system_identifier":"7378697629483820647","database":"shop","slot_name":"shop_orders"})"
  "\n";

/// A transaction with one row, told apart by its position.
inline transaction one_row(std::uint64_t commit, std::string_view note = "x") {
  return transaction_builder{lsn{commit}}
    .insert(orders, {text("1"), text(note), null_cell})
    .build();
}

/// A path, or all that can be said of a sink.
struct sink_options : jsonl_options {
  sink_options(const std::string& file) : jsonl_options{.path = file} {} // NOLINT: meant to convert

  sink_options(jsonl_options all) : jsonl_options{std::move(all)} {} // NOLINT: meant to convert
};

/// A sink taken through its start as the pipeline does it.
struct running_sink {
  std::unique_ptr<replicant::sink> owner;
  jsonl_sink* sink = nullptr;
  sink_checkpoint checkpoint{};
};

inline result<running_sink> open_sink(const sink_options& options) {
  auto opened = jsonl_sink::open(options);
  if (!opened)
    return failure(opened.error());
  running_sink running{.owner = std::move(*opened)};
  running.sink = dynamic_cast<jsonl_sink*>(running.owner.get());
  REQUIRE(running.sink != nullptr);
  if (const auto known = running.sink->handle_session_identity(shop()); !known)
    return failure(known.error());
  const auto checkpoint = running.sink->checkpoint();
  if (!checkpoint)
    return failure(checkpoint.error());
  running.checkpoint = *checkpoint;
  return running;
}

inline result<running_sink> start_sink(const sink_options& options) {
  auto running = open_sink(options);
  if (!running)
    return running;
  const auto how = running->checkpoint.memory == sink_memory::position ? stream_start::resumed
                                                                       : stream_start::fresh;
  if (const auto started = running->sink->handle_stream_start(how, shop()); !started)
    return failure(started.error());
  return running;
}

/// Starts a sink that has to start.
inline running_sink started(const sink_options& options) {
  auto running = start_sink(options);
  REQUIRE(running);
  return std::move(*running);
}

/// Takes the transaction and makes it durable; the fault, if either fails.
inline result<void> deliver(jsonl_sink& sink, const transaction& txn) {
  auto done = sink.handle_transaction(txn);
  return done ? sink.make_durable() : done;
}

/// The errno that a fault tells of; 0 when it tells of none.
inline std::uint64_t errno_of(const fault& what) {
  for (const auto& one : what.facts)
    if (one.kind == fact_kind::error_number)
      return one.value;
  return 0;
}

} // namespace replicant::test
