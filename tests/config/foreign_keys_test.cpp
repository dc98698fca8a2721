// SPDX-License-Identifier: MIT
#include "replicant/config/interpret.hpp"
#include "replicant/tests/config/mistake.hpp"

using namespace replicant;
using namespace replicant::test;

namespace {

/// A behaviour that others document for a program like this one, and what is said to who writes it
/// here. `begins` is empty where it is right.
struct documented {
  std::string what;
  std::string file_parts::*part;
  std::string line;
  std::string begins;
};

/// Every option, and every combination that excludes itself, of the behaviour that we follow.
std::vector<documented> documented_options() {
  return {
    {"connection", connection, "conninfo = \"\"", "pipeline.connection.conninfo is empty"},
    {"slot_name", pipeline, "slot_name = \"A\"", "pipeline.slot_name is no name for a slot"},
    {"decoder", pipeline, "decoder = \"pglogical\"", "pipeline.decoder would choose the output"},
    {"publication", pipeline, "publication = []", "pipeline.publication is an empty list"},
    {"replication_sets", pipeline, "replication_sets = [\"a\"]",
     "pipeline.replication_sets would choose tables"},
    {"tables", pipeline, "tables = [\"a\"]", "pipeline.tables would choose tables"},
    {"allow_keyless_tables", pipeline, "allow_keyless_tables = true",
     "pipeline.allow_keyless_tables would permit tables"},
    {"schema_check_interval", pipeline, "schema_check_interval = 30000",
     "pipeline.schema_check_interval would look for changed tables"},
    {"sink", sink, "kind = \"mirror\"", "pipeline.sink.kind would keep a copy of the tables"},
    {"go_forward_only", pipeline, "go_forward_only = 1", "pipeline.go_forward_only has the wrong"},
    {"snapshot", pipeline, "snapshot = true", "pipeline.snapshot would copy the rows"},
    {"snapshot, incremental", pipeline, "snapshot = { mode = \"incremental\", chunk_rows = 10 }",
     "pipeline.snapshot would copy the rows"},
    {"messages", pipeline, "messages = \"yes\"", "pipeline.messages has the wrong type"},
    {"streaming", pipeline, "streaming = { max_concurrent_txns = 64 }", ""},
    {"streaming, at most none", pipeline, "streaming = { max_concurrent_txns = 0 }",
     "pipeline.streaming.max_concurrent_txns is out of range"},
    {"streaming.spill", pipeline, "streaming = { spill = { dir = \"/tmp\" } }", ""},
    {"spill, beside streaming", pipeline, "spill = { dir = \"/tmp\" }",
     "pipeline.spill is a key of another table"},
    {"max_inflight_lag", pipeline, "max_inflight_lag = 0", "pipeline.max_inflight_lag is no size"},
    {"max_command_retries", pipeline, "max_command_retries = -1",
     "pipeline.max_command_retries is out of range"},
    {"max_command_retries = 0", pipeline, "max_command_retries = 0", ""},
    {"failover", pipeline, "failover = true", ""},
    {"batch_delivery", pipeline, "batch_delivery = { max_transactions = 100 }", ""},
    {"checkpoint_store.table", store, "table = \"audit.positions\"", ""},
    {"checkpoint_store.max_retries", store, "max_retries = 0", ""},
    {"checkpoint_store.batch", store, "batch = { max_transactions = 5 }", ""},
    {"checkpoint_store.progress_table", store, "progress_table = \"t\"",
     "pipeline.checkpoint_store.progress_table would name the table"},
    {"batch, at the top", pipeline, "batch = { max_delay_ms = 5 }", "pipeline.batch would collect"},
    {"publication_scope", pipeline, "publication_scope = { manage = true }",
     "pipeline.publication_scope would let replicant make"},
    {"on_slow_sink", pipeline, "on_slow_sink = \"halt\"", ""},
    {"metrics", runtime, "metrics = \"127.0.0.1:9187\"", ""},
  };
}

/// Combinations of two keys, each of which this version refuses by itself or takes.
struct combination {
  std::string what;
  std::string lines;
  std::vector<std::string> told;
};

std::vector<combination> excluded_combinations() {
  return {
    {"tables of another decoder",
     "decoder = \"wal2json\"\nreplication_sets = [\"a\"]\n",
     {"pipeline.decoder", "pipeline.replication_sets"}},
    {"streaming with another decoder",
     "decoder = \"wal2json\"\nstreaming = {}\n",
     {"pipeline.decoder"}},
    {"messages with pglogical", "decoder = \"pglogical\"\nmessages = true\n", {"pipeline.decoder"}},
    {"failover with another decoder",
     "decoder = \"wal2json\"\nfailover = true\n",
     {"pipeline.decoder"}},
    {"go_forward_only with a snapshot",
     "go_forward_only = true\nsnapshot = true\n",
     {"pipeline.snapshot"}},
  };
}

} // namespace

TEST_CASE("every documented option is taken, or refused by what it would do", "[config][unit]") {
  for (const auto& one : documented_options()) {
    INFO(one.what);
    const mistake written{one.part, one.line, one.begins};
    if (one.begins.empty()) {
      accepted(with(written).first);
      continue;
    }
    const auto [text, line] = with(written);
    const auto told = refused(text);
    CHECK(told.starts_with("file:" + std::to_string(line) + ":"));
    CHECK(told.find(": " + one.begins) != std::string::npos);
    CHECK(told.find("; ") != std::string::npos);
    CHECK(std::ranges::count(told, '\n') == 1);
  }
}

TEST_CASE("of what excludes itself, each part that this version lacks is told", "[config][unit]") {
  for (const auto& one : excluded_combinations()) {
    INFO(one.what);
    file_parts file;
    file.pipeline += one.lines;
    const auto told = refused(file.whole());
    CHECK(std::ranges::count(told, '\n') == static_cast<std::ptrdiff_t>(one.told.size()));
    for (const auto& key : one.told)
      CHECK(told.find(": " + key + " would ") != std::string::npos);
  }
}

TEST_CASE("what belongs into the connection string is shown there", "[config][unit]") {
  std::vector<mistake> mistakes;
  for (const auto* key : {"host",
                          "hostname",
                          "server",
                          "hostaddr",
                          "port",
                          "user",
                          "username",
                          "password",
                          "passfile",
                          "dbname",
                          "service",
                          "sslmode",
                          "ssl",
                          "sslrootcert",
                          "sslcert",
                          "sslkey",
                          "channel_binding",
                          "options",
                          "application_name",
                          "connect_timeout",
                          "target_session_attrs",
                          "url",
                          "uri",
                          "dsn",
                          "connection_string",
                          "database"})
    for (const auto part : {pipeline, connection})
      mistakes.push_back({part, std::string{key} + " = \"s3cr3t-planted\"",
                          (part == pipeline ? "pipeline." : "pipeline.connection.") +
                            std::string{key} +
                            " is part of the connection string; write it in "
                            "[pipeline.connection] as conninfo = \""});
  mistakes.push_back({store, "host = \"s3cr3t-planted\"",
                      "pipeline.checkpoint_store.host is part of the connection string; write it "
                      "in [pipeline.checkpoint_store] as conninfo = \"host=db1\""});
  check_each(mistakes, place::key);
}

TEST_CASE("every key in the wrong table is sent to its own", "[config][unit]") {
  check_each(
    {
      {runtime, "slot_name = \"s3cr3t-planted\"",
       "runtime.slot_name is a key of another table; write it under [[pipeline]]\n"},
      {pipeline, "log_level = \"debug\"",
       "pipeline.log_level is a key of another table; write it under [runtime]\n"},
      {pipeline, "conninfo = \"s3cr3t-planted\"",
       "pipeline.conninfo is a key of another table; write it under [pipeline.connection]\n"},
      {pipeline, "path = \"/x\"",
       "pipeline.path is a key of another table; write it under [pipeline.sink]\n"},
      {sink, "table = \"s3cr3t-planted\"",
       "pipeline.sink.table is a key of another table; write it under "
       "[pipeline.checkpoint_store]\n"},
      {pipeline, "spill = false",
       "pipeline.spill is a key of another table; write it under [pipeline.streaming]\n"},
      {streaming, "dir = \"/s3cr3t-planted\"",
       "pipeline.streaming.dir is a key of another table; write it under "
       "[pipeline.streaming.spill]\n"},
      {runtime, "max_spill_bytes = 1",
       "runtime.max_spill_bytes is a key of another table; write it under "
       "[pipeline.streaming.spill]\n"},
      {sink, "bytes = \"1GiB\"",
       "pipeline.sink.bytes is a key of another table; write it under [pipeline.sink.rotate]\n"},
      {identity, "publication = \"p\"",
       "pipeline.source_identity.publication is a key of another table; write it under "
       "[[pipeline]]\n"},
    },
    place::key);
  CHECK(refused("host = \"s3cr3t-planted\"\n" + file_parts{}.whole())
          .starts_with("file:1:1: host is part of the connection string"));
  CHECK(refused("threads = 2\n" + file_parts{}.whole())
          .starts_with("file:1:1: threads is a key of another table; write it under [runtime]"));
}

TEST_CASE("a slip in any key proposes that key", "[config][unit]") {
  for (const auto& whole : known_keys()) {
    const auto dot = whole.rfind('.');
    if (dot == std::string::npos || whole.starts_with("pipeline.sink.rotate.") ||
        whole.starts_with("pipeline.batch_delivery.") ||
        whole.starts_with("pipeline.streaming.spill.") ||
        whole.starts_with("pipeline.checkpoint_store.batch."))
      continue;
    const auto table = whole.substr(0, dot);
    const auto key = whole.substr(dot + 1);
    auto slip = key;
    std::swap(slip[slip.size() / 2 - 1], slip[slip.size() / 2]);
    if (slip == key)
      slip.erase(slip.size() / 2, 1);
    INFO(whole << ": " << slip);
    file_parts file;
    auto& part = table == "runtime"                     ? file.runtime
                 : table == "pipeline"                  ? file.pipeline
                 : table == "pipeline.connection"       ? file.connection
                 : table == "pipeline.source_identity"  ? file.identity
                 : table == "pipeline.checkpoint_store" ? file.store
                 : table == "pipeline.streaming"        ? file.streaming
                                                        : file.sink;
    part += slip + " = \"s3cr3t-planted\"\n";
    CHECK(refused(file.whole()).find(table + " has no such key; write \"" + key + "\" if that") !=
          std::string::npos);
  }
}

TEST_CASE("a slip in the tables of rotation, batches and spilling proposes the key",
          "[config][unit]") {
  file_parts file;
  file.pipeline += "batch_delivery = { max_delay = 5 }\n";
  CHECK(refused(file.whole())
          .find("pipeline.batch_delivery has no such key; write "
                "\"max_delay_ms\"") != std::string::npos);
  file = {};
  file.store += "batch = { max_transaction = 5 }\n";
  CHECK(refused(file.whole())
          .find("pipeline.checkpoint_store.batch has no such key; write "
                "\"max_transactions\"") != std::string::npos);
  file = {};
  file.streaming += "spill = { max_spill_byte = 5 }\n";
  CHECK(refused(file.whole())
          .find("pipeline.streaming.spill has no such key; write "
                "\"max_spill_bytes\"") != std::string::npos);
  file = {};
  file.sink += "rotate = { byte = \"1GiB\" }\n";
  CHECK(refused(file.whole()).find("pipeline.sink.rotate has no such key; write \"bytes\"") !=
        std::string::npos);
}

TEST_CASE("a kind of sink that others have is refused by what to write instead", "[config][unit]") {
  check_each({{sink, "kind = \"mirror\"", "pipeline.sink.kind would keep a copy of the tables"},
              {sink, "kind = \"stdout\"",
               "pipeline.sink.kind is written as kind = \"jsonl\" with path = \"-\""}},
             place::value);
}
