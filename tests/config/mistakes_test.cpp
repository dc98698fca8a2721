// SPDX-License-Identifier: MIT
#include "replicant/config/interpret.hpp"
#include "replicant/tests/config/mistake.hpp"

using namespace replicant;
using namespace replicant::test;

namespace {

std::vector<mistake> wrong_types() {
  return {
    {runtime, "log_level = 3", "runtime.log_level has the wrong type; an integer stands here"},
    {runtime, "log_format = true", "runtime.log_format has the wrong type; true or false"},
    {runtime, "threads = \"s3cr3t-planted\"", "runtime.threads has the wrong type; a string"},
    {runtime, "threads = 1.5", "runtime.threads has the wrong type; a number with a point"},
    {runtime, "threads = 2020-01-01", "runtime.threads has the wrong type; a number with a point"},
    {runtime, "state_dir = []", "runtime.state_dir has the wrong type; a list"},
    {runtime, "control_socket = {}", "runtime.control_socket has the wrong type; a table"},
    {runtime, "metrics = 9187", "runtime.metrics has the wrong type; an integer"},
    {pipeline, "name = 1", "pipeline.name has the wrong type"},
    {pipeline, "slot_name = 1", "pipeline.slot_name has the wrong type"},
    {pipeline, "publication = 1", "pipeline.publication has the wrong type"},
    {pipeline, "go_forward_only = \"s3cr3t-planted\"", "pipeline.go_forward_only has the wrong"},
    {pipeline, "messages = 1", "pipeline.messages has the wrong type"},
    {pipeline, "failover = \"s3cr3t-planted\"", "pipeline.failover has the wrong type; a string"},
    {pipeline, "max_inflight_lag = true", "pipeline.max_inflight_lag has the wrong type"},
    {pipeline, "on_slow_sink = true", "pipeline.on_slow_sink has the wrong type"},
    {pipeline, "batch_delivery = true", "pipeline.batch_delivery has the wrong type; true or"},
    {pipeline, "batch_delivery = { max_transactions = \"1\" }",
     "pipeline.batch_delivery.max_transactions has the wrong type"},
    {pipeline, "batch_delivery = { max_delay_ms = 1.5 }",
     "pipeline.batch_delivery.max_delay_ms has the wrong type"},
    {pipeline, "max_command_retries = \"5\"", "pipeline.max_command_retries has the wrong type"},
    {connection, "conninfo = [\"s3cr3t-planted\"]", "pipeline.connection.conninfo has the wrong"},
    {identity, "system_identifier = 7378697629483820647",
     "pipeline.source_identity.system_identifier has the wrong type"},
    {identity, "database = false", "pipeline.source_identity.database has the wrong type"},
    {store, "conninfo = true", "pipeline.checkpoint_store.conninfo has the wrong type"},
    {store, "table = 1", "pipeline.checkpoint_store.table has the wrong type"},
    {store, "max_retries = \"s3cr3t-planted\"",
     "pipeline.checkpoint_store.max_retries has the wrong type"},
    {store, "retry_backoff_ms = 1.5",
     "pipeline.checkpoint_store.retry_backoff_ms has the wrong type"},
    {store, "batch = 100", "pipeline.checkpoint_store.batch has the wrong type; an integer"},
    {store, "batch = { max_transactions = true }",
     "pipeline.checkpoint_store.batch.max_transactions has the wrong type"},
    {store, "batch = { max_delay_ms = \"1\" }",
     "pipeline.checkpoint_store.batch.max_delay_ms has the wrong type"},
    {pipeline, "streaming = false",
     "pipeline.streaming has the wrong type; true or false stands here; write [pipeline.streaming] "
     "with enabled = true or enabled = false below it"},
    {streaming, "enabled = 1", "pipeline.streaming.enabled has the wrong type"},
    {streaming, "max_concurrent_txns = \"s3cr3t-planted\"",
     "pipeline.streaming.max_concurrent_txns has the wrong type"},
    {streaming, "spill = \"/s3cr3t-planted\"",
     "pipeline.streaming.spill has the wrong type; a string stands here; write true, false or "
     "[pipeline.streaming.spill] with dir = "},
    {streaming, "spill = { dir = true }", "pipeline.streaming.spill.dir has the wrong type"},
    {streaming, "spill = { max_spill_bytes = true }",
     "pipeline.streaming.spill.max_spill_bytes has the wrong type"},
    {sink, "kind = 1", "pipeline.sink.kind has the wrong type"},
    {sink, "path = 1", "pipeline.sink.path has the wrong type"},
    {sink, "fsync = 1", "pipeline.sink.fsync has the wrong type"},
    {sink, "numeric = 1", "pipeline.sink.numeric has the wrong type"},
    {sink, "rotate = \"1h\"", "pipeline.sink.rotate has the wrong type; a string"},
    {sink, "rotate = {}", "pipeline.sink.rotate is empty"},
    {pipeline, "binary = 1", "pipeline.binary has the wrong type"},
    {sink, "rotate = { bytes = true }", "pipeline.sink.rotate.bytes has the wrong type"},
    {sink, "rotate = { interval = 5 }", "pipeline.sink.rotate.interval has the wrong type"},
  };
}

std::vector<mistake> impossible_values() {
  const std::string long_name(64, 'x');
  return {
    {runtime, "log_level = \"s3cr3t-planted\"", "runtime.log_level is no log level"},
    {runtime, "log_format = \"xml\"", "runtime.log_format is none of its choices"},
    {runtime, "threads = 0", "runtime.threads is out of range; write an integer from 1 to 256"},
    {runtime, "threads = -1", "runtime.threads is out of range"},
    {runtime, "threads = 257", "runtime.threads is out of range"},
    {runtime, "state_dir = \"\"", "runtime.state_dir is empty"},
    {runtime, "state_dir = \"s3cr3t-planted\"", "runtime.state_dir does not begin with \"/\""},
    {runtime, "control_socket = \"./s3cr3t-planted\"",
     "runtime.control_socket does not begin with \"/\""},
    {runtime, "control_socket = \"/" + std::string(107, 's') + "\"",
     "runtime.control_socket cannot be the path of a socket"},
    {runtime, "metrics = \"\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"s3cr3t-planted\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \":9187\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"localhost:\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"localhost:0\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"localhost:65536\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"localhost:9187/\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"http://localhost:9187\"", "runtime.metrics is no address to"},
    {runtime, "metrics = \"::1:9187\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"[]:9187\"", "runtime.metrics is no address to listen on"},
    {runtime, "metrics = \"[localhost]:9187\"", "runtime.metrics is no address to listen on"},
    {pipeline, "name = \"\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "name = \"a/s3cr3t-planted\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "name = \"..\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "name = \"" + long_name + "\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "slot_name = \"Shop\"", "pipeline.slot_name is no name for a slot"},
    {pipeline, "slot_name = \"s3cr3t-planted\"", "pipeline.slot_name is no name for a slot"},
    {pipeline, "slot_name = \"" + long_name + "\"", "pipeline.slot_name is no name for a slot"},
    {pipeline, "publication = \"\"", "pipeline.publication is no name for a publication"},
    {pipeline, "publication = \"" + long_name + "\"", "pipeline.publication is no name for a"},
    {pipeline, "publication = []", "pipeline.publication is an empty list"},
    {pipeline, "max_inflight_lag = 0", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = -1", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"32MB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"32 MiB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"1025GiB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"99999999999999GiB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"99999999999999999999\"", "pipeline.max_inflight_lag is no"},
    {pipeline, "on_slow_sink = \"s3cr3t-planted\"", "pipeline.on_slow_sink is none of its"},
    {pipeline, "batch_delivery = { max_transactions = 0 }",
     "pipeline.batch_delivery.max_transactions is out of range"},
    {pipeline, "batch_delivery = { max_transactions = 1000001 }",
     "pipeline.batch_delivery.max_transactions is out of range"},
    {pipeline, "batch_delivery = { max_delay_ms = 0 }",
     "pipeline.batch_delivery.max_delay_ms is out of range"},
    {pipeline, "batch_delivery = { max_delay_ms = 60001 }",
     "pipeline.batch_delivery.max_delay_ms is out of range"},
    {pipeline, "max_command_retries = -1", "pipeline.max_command_retries is out of range"},
    {connection, "conninfo = \"\"", "pipeline.connection.conninfo is empty"},
    {connection, "conninfo = \"s3cr3t-planted\"", "pipeline.connection.conninfo is no connection"},
    {connection, "conninfo = \"host=a\\u0000password=s3cr3t-planted\"",
     "pipeline.connection.conninfo holds a zero byte"},
    {identity, "system_identifier = \"s3cr3t-planted\"",
     "pipeline.source_identity.system_identifier is no system identifier"},
    {identity, "database = \"\"", "pipeline.source_identity.database is empty"},
    {store, "conninfo = \"s3cr3t-planted\"", "pipeline.checkpoint_store.conninfo is no connection"},
    {store, "table = \"\"", "pipeline.checkpoint_store.table is no name for a table"},
    {store, "table = \".s3cr3t-planted\"", "pipeline.checkpoint_store.table is no name for a"},
    {store, "table = \"s3cr3t-planted.\"", "pipeline.checkpoint_store.table is no name for a"},
    {store, "table = \"s3cr3t-planted.a.b\"", "pipeline.checkpoint_store.table is no name for"},
    {store, "table = \"" + std::string(58, 't') + "\"",
     "pipeline.checkpoint_store.table is no name for a table"},
    {store, "max_retries = -1", "pipeline.checkpoint_store.max_retries is out of range"},
    {store, "retry_backoff_ms = 0", "pipeline.checkpoint_store.retry_backoff_ms is out of range"},
    {store, "batch = { max_transactions = 0 }",
     "pipeline.checkpoint_store.batch.max_transactions is out of range"},
    {store, "batch = { max_delay_ms = 60001 }",
     "pipeline.checkpoint_store.batch.max_delay_ms is out of range"},
    {streaming, "max_concurrent_txns = 0",
     "pipeline.streaming.max_concurrent_txns is out of range; write an integer from 1 to 10000"},
    {streaming, "max_concurrent_txns = 10001",
     "pipeline.streaming.max_concurrent_txns is out of range"},
    {streaming, "spill = { dir = \"\" }", "pipeline.streaming.spill.dir is empty"},
    {streaming, "spill = { dir = \"s3cr3t-planted\" }",
     "pipeline.streaming.spill.dir does not begin with \"/\""},
    {streaming, "spill = { max_spill_bytes = 0 }",
     "pipeline.streaming.spill.max_spill_bytes is no size"},
    {streaming, "spill = { max_spill_bytes = \"31MiB\" }",
     "pipeline.streaming.spill.max_spill_bytes is less than max_inflight_lag"},
    {sink, "kind = \"s3cr3t-planted\"", "pipeline.sink.kind is none of its choices"},
    {sink, "path = \"\"", "pipeline.sink.path is not the path of a file"},
    {sink, "path = \"s3cr3t-planted.jsonl\"", "pipeline.sink.path does not begin with \"/\""},
    {sink, "path = \"~/s3cr3t-planted.jsonl\"", "pipeline.sink.path does not begin with \"/\""},
    {sink, "fsync = \"never\"", "pipeline.sink.fsync is none of its choices"},
    {sink, "fsync_interval_ms = 5", "pipeline.sink.fsync_interval_ms has no meaning"},
    {sink, "numeric = \"float\"", "pipeline.sink.numeric is none of its choices"},
    {sink, "rotate = { bytes = 0 }", "pipeline.sink.rotate.bytes is no size"},
    {sink, "rotate = { interval = \"5 s3cr3t-planted\" }",
     "pipeline.sink.rotate.interval is no time span"},
  };
}

/// A file whose sink syncs so.
std::string syncing(const std::string& policy, const std::string& interval) {
  file_parts file;
  file.sink += "fsync = \"" + policy + "\"\nfsync_interval_ms = " + interval + "\n";
  return file.whole();
}

/// A whole file, and how its first problem begins.
struct wrong_file {
  std::string text;
  std::string begins;
};

std::vector<wrong_file> wrong_files() {
  const std::string pipeline_without =
    "[[pipeline]]\nname = \"a\"\nslot_name = \"a\"\npublication = \"p\"\n";
  const std::string conninfo = "connection.conninfo = \"host=a\"\n";
  const std::string null = "sink.kind = \"null\"\n";
  return {
    {"runtime = \"s3cr3t-planted\"\n" + pipeline_without + conninfo + null,
     "1:11: runtime has the wrong type; a string stands here; write [runtime] with"},
    {"pipeline = \"s3cr3t-planted\"\n", "1:12: pipeline has the wrong type; a string stands"},
    {pipeline_without + "connection = \"host=a password=s3cr3t-planted\"\n" + null,
     "5:14: pipeline.connection has the wrong type; a string stands here; write "
     "[pipeline.connection] with conninfo = "},
    {pipeline_without + conninfo + null + "source_identity = \"shop\"\n",
     "7:19: pipeline.source_identity has the wrong type; a string stands here; write "
     "[pipeline.source_identity] with"},
    {pipeline_without + conninfo + null + "checkpoint_store = \"replicant_checkpoints\"\n",
     "7:20: pipeline.checkpoint_store has the wrong type; a string stands here; write "
     "[pipeline.checkpoint_store] with"},
    {pipeline_without + conninfo + null + "checkpoint_store = {}\n",
     "7:20: pipeline.checkpoint_store.conninfo is missing"},
    {pipeline_without + conninfo + null +
       "streaming = { enabled = false, max_concurrent_txns = 5 }\n",
     "7:54: pipeline.streaming.max_concurrent_txns has no meaning with enabled = false"},
    {pipeline_without + conninfo + "sink = \"jsonl\"\n",
     "6:8: pipeline.sink has the wrong type; a string stands here; write [pipeline.sink] with "
     "kind"},
    {syncing("interval", "\"5\""), "13:21: pipeline.sink.fsync_interval_ms has the wrong type"},
    {syncing("interval", "0"), "13:21: pipeline.sink.fsync_interval_ms is out of range"},
    {syncing("every_commit", "5"), "13:21: pipeline.sink.fsync_interval_ms has no meaning"},
  };
}

} // namespace

TEST_CASE("a value of the wrong type is told where it stands", "[config][unit]") {
  check_each(wrong_types(), place::value);
}

TEST_CASE("a value that cannot be is told where it stands", "[config][unit]") {
  check_each(impossible_values(), place::value);
}

TEST_CASE("what is no table where one belongs is answered by how it is written", "[config][unit]") {
  for (const auto& wrong : wrong_files()) {
    INFO(wrong.text);
    CHECK(refused(wrong.text).starts_with("file:" + wrong.begins));
  }
}

TEST_CASE("every key there is has its mistakes in these tables", "[config][unit]") {
  const auto is_about = [](const std::string& text, const std::string& key) {
    return text.find(key + " ") != std::string::npos;
  };
  REQUIRE(known_keys().size() > 20);
  for (const auto& key : known_keys()) {
    INFO(key);
    const auto is_told = [&](const auto& wrong) { return is_about(wrong.begins, key); };
    const auto by_line = std::ranges::count_if(wrong_types(), is_told);
    const auto in_files = std::ranges::count_if(wrong_files(), is_told);
    CHECK(by_line + in_files > 0);
  }
}
