// SPDX-License-Identifier: MIT
#include "replicant/config/interpret.hpp"
#include "replicant/config/spill_defaults.hpp"
#include "replicant/tests/config/planted_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace replicant;
using namespace replicant::test;

namespace {

const std::string example = std::string{REPLICANT_SOURCE_DIR} + "/config/replicant.example.toml";

std::string read_example() {
  std::ifstream file{example};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("the example loads", "[config][unit]") {
  const auto loaded = load_file(example, plain);
  REQUIRE(loaded);
  CHECK(loaded->runtime.control_socket == "/run/replicant/control.sock");
  REQUIRE(loaded->pipelines.size() == 2);
  const auto& sink = std::get<jsonl_settings>(loaded->pipelines[0].sink);
  CHECK(sink.fsync == fsync_policy::interval);
  CHECK(std::holds_alternative<null_settings>(loaded->pipelines[1].sink));
}

TEST_CASE("the example shows every key", "[config][unit]") {
  const auto text = read_example();
  REQUIRE(known_keys().size() > 20);
  for (const auto& name : known_keys()) {
    const auto key = name.substr(name.rfind('.') + 1);
    INFO(name);
    CHECK((text.find(key + " = ") != std::string::npos ||
           text.find("[" + name + "]") != std::string::npos));
  }
}

TEST_CASE("every key lands in its setting", "[config][unit]") {
  file_parts file;
  file.runtime = "log_level = \"debug\"\nlog_format = \"json\"\nthreads = 7\nstate_dir = \"/s\"\n"
                 "control_socket = \"/c.sock\"\n";
  file.pipeline += "go_forward_only = true\nmessages = true\nmax_inflight_lag = \"512KiB\"\n"
                   "max_command_retries = 0\non_slow_sink = \"halt\"\n"
                   "batch_delivery = { max_transactions = 7, max_delay_ms = 70 }\n";
  file.identity = "system_identifier = \"7378697629483820647\"\ndatabase = \"shop\"\n";
  file.sink += "fsync = \"interval\"\nfsync_interval_ms = 250\n";
  const auto loaded = accepted(file.whole());

  CHECK(loaded.runtime.log_level == "debug");
  CHECK(loaded.runtime.log_format == log_format::json);
  CHECK(loaded.runtime.threads == 7);
  CHECK(loaded.runtime.state_dir == "/s");
  CHECK(loaded.runtime.control_socket == "/c.sock");
  REQUIRE(loaded.pipelines.size() == 1);
  const auto& pipeline = loaded.pipelines[0];
  CHECK(pipeline.name == "shop");
  CHECK(pipeline.slot_name == "shop");
  CHECK(pipeline.publications == std::vector<std::string>{"shop_pub"});
  CHECK(pipeline.go_forward_only);
  CHECK(pipeline.messages);
  CHECK(pipeline.max_inflight_lag == 512 * 1024);
  CHECK(pipeline.max_command_retries == 0);
  CHECK(pipeline.on_slow_sink == slow_sink_policy::halt);
  CHECK(pipeline.batch_delivery ==
        batch_delivery{.max_transactions = 7, .max_delay = std::chrono::milliseconds{70}});
  CHECK(pipeline.conninfo == "host='db1' dbname='shop'");
  CHECK(pipeline.source_identity.system_identifier == "7378697629483820647");
  CHECK(pipeline.source_identity.database == "shop");
  const auto& sink = std::get<jsonl_settings>(pipeline.sink);
  CHECK(sink.path == "/tmp/shop.jsonl");
  CHECK(sink.fsync == fsync_policy::interval);
  CHECK(sink.fsync_interval == std::chrono::milliseconds{250});
}

TEST_CASE("every key of a checkpoint store lands in its setting", "[config][unit]") {
  file_parts file;
  file.store = "conninfo = \"host=db2 user=${HOME}\"\n";
  file.sink = "kind = \"jsonl\"\npath = \"-\"\n";
  const auto store = [&] { return accepted(file.whole()).pipelines.at(0).checkpoint_store; };
  CHECK(store() == checkpoint_store_settings{.conninfo = "host='db2' user='/home/tester'"});
  file.store = "conninfo = \"host=db2\"\ntable = \"a.b\"\nmax_retries = 0\n"
               "retry_backoff_ms = 5\nbatch = {}\n";
  const std::chrono::milliseconds backoff{5};
  CHECK(store() == checkpoint_store_settings{.conninfo = "host='db2'",
                                             .table = "a.b",
                                             .retry = {.max_retries = 0, .backoff = backoff},
                                             .batch = batch_delivery{}});
  file.store += "batch.max_transactions = 3\n";
  file.store.replace(file.store.find("batch = {}\n"), 11, "");
  CHECK(store()->batch->max_transactions == 3);
  CHECK_FALSE(accepted(file_parts{}.whole()).pipelines.at(0).checkpoint_store);
}

TEST_CASE("every key of streaming and of spilling lands in its setting", "[config][unit]") {
  file_parts file;
  file.runtime = "state_dir = \"/s\"\n";
  const auto streaming = [&] { return accepted(file.whole()).pipelines.at(0).streaming; };
  const spill_settings of_the_state_folder{.dir = "/s/spill"};
  CHECK(streaming() == streaming_settings{.spill = of_the_state_folder});
  file.streaming = "spill = true\n";
  CHECK(streaming() == streaming_settings{.spill = of_the_state_folder});
  file.streaming = "spill = {}\n";
  CHECK(streaming() == streaming_settings{.spill = of_the_state_folder});
  file.streaming = "spill = false\n";
  CHECK(streaming() == streaming_settings{.spill = std::nullopt});
  file.streaming = "enabled = false\n";
  CHECK(streaming() == streaming_settings{.enabled = false, .spill = of_the_state_folder});
  file.streaming = "max_concurrent_txns = 10000\n[pipeline.streaming.spill]\ndir = \"/d\"\n"
                   "max_spill_bytes = \"32MiB\"\n";
  CHECK(streaming() ==
        streaming_settings{
          .max_concurrent_txns = 10'000,
          .spill = spill_settings{.dir = "/d", .max_spill_bytes = std::uint64_t{32} << 20U}});
}

TEST_CASE("a spill folder may be shared, and holds at least what memory does", "[config][unit]") {
  file_parts file;
  file.pipeline += "max_inflight_lag = \"9GiB\"\n";
  const auto text = file.whole();
  const auto second = text.substr(text.find("[[pipeline]]"));
  auto both = second;
  for (const auto* key : {"name = \"shop\"", "slot_name = \"shop\"", "/tmp/shop.jsonl"}) {
    const std::string old{key};
    both.replace(both.find(old), old.size(), std::string{old}.replace(old.find("shop"), 4, "bank"));
  }
  const auto loaded = accepted(text + both);
  REQUIRE(loaded.pipelines.size() == 2);
  for (const auto& one : loaded.pipelines)
    CHECK(one.streaming.spill == spill_settings{.dir = "/home/tester/.local/state/replicant/spill",
                                                .max_spill_bytes = std::uint64_t{9} << 30U});
}

TEST_CASE("a host's pipeline gets what a file's gets", "[config][unit]") {
  pipeline_settings host;
  complete_spill(host, "/s");
  CHECK(host.streaming.spill == spill_settings{.dir = "/s/spill"});
  host.streaming.spill = spill_settings{.dir = "/d", .max_spill_bytes = 1};
  complete_spill(host, "/s");
  CHECK(host.streaming.spill ==
        spill_settings{.dir = "/d", .max_spill_bytes = host.max_inflight_lag});
  host.streaming.spill = spill_settings{};
  complete_spill(host, std::nullopt);
  CHECK(host.streaming.spill->dir.empty());
  host.streaming.spill.reset();
  complete_spill(host, "/s");
  CHECK_FALSE(host.streaming.spill);
}

TEST_CASE("what is not given keeps its default", "[config][unit]") {
  const auto loaded = accepted(file_parts{}.whole());
  const runtime_settings runtime;
  CHECK(loaded.runtime.log_level == runtime.log_level);
  CHECK(loaded.runtime.log_format == log_format::text);
  CHECK(loaded.runtime.threads == runtime.threads);
  const auto& pipeline = loaded.pipelines.at(0);
  CHECK_FALSE(pipeline.go_forward_only);
  CHECK(pipeline.max_inflight_lag == pipeline_settings{}.max_inflight_lag);
  CHECK(pipeline.max_command_retries == pipeline_settings{}.max_command_retries);
  CHECK_FALSE(pipeline.source_identity.database);
  CHECK(std::get<jsonl_settings>(pipeline.sink).fsync == fsync_policy::every_commit);
}

TEST_CASE("a publication may be a list of any names", "[config][unit]") {
  file_parts file;
  file.pipeline = "name = \"shop\"\nslot_name = \"shop\"\npublication = [\"a\", \"B c\", \"ü\"]\n";
  CHECK(accepted(file.whole()).pipelines.at(0).publications ==
        std::vector<std::string>{"a", "B c", "ü"});
}

TEST_CASE("sizes are read with and without a unit", "[config][unit]") {
  const auto lag = [](const std::string& value) {
    file_parts file;
    file.pipeline += "max_inflight_lag = " + value + "\n";
    return accepted(file.whole()).pipelines.at(0).max_inflight_lag;
  };
  CHECK(lag("4096") == 4096);
  CHECK(lag("\"4096\"") == 4096);
  CHECK(lag("\"32MiB\"") == std::uint64_t{32} << 20U);
  CHECK(lag("\"1GiB\"") == std::uint64_t{1} << 30U);
  CHECK(lag("\"1024GiB\"") == std::uint64_t{1} << 40U);
}

TEST_CASE("the state folder comes from the environment when the file has none", "[config][unit]") {
  const auto text = file_parts{}.whole();
  const auto folder = [&](std::map<std::string, std::string> variables) {
    const auto runtime = accepted(text, environment_of(std::move(variables))).runtime;
    CHECK(runtime.control_socket == runtime.state_dir + "/control.sock");
    return runtime.state_dir;
  };
  CHECK(folder({{"HOME", "/h"}}) == "/h/.local/state/replicant");
  CHECK(folder({{"HOME", "/h"}, {"XDG_STATE_HOME", "/x"}}) == "/x/replicant");
  CHECK(folder({{"HOME", "/h"}, {"XDG_STATE_HOME", "relative"}}) == "/h/.local/state/replicant");
  CHECK(folder({{"XDG_STATE_HOME", "/x"}, {"STATE_DIRECTORY", "/var/lib/r"}}) == "/var/lib/r");
  CHECK(folder({{"STATE_DIRECTORY", "/var/lib/r:/var/lib/other"}}) == "/var/lib/r");
  CHECK(refused(text, environment_of({})).starts_with("file:1:1: runtime.state_dir is missing"));
}

TEST_CASE("a file that cannot be read is refused as a whole", "[config][unit]") {
  std::string folder = "/tmp/replicant-config-XXXXXX";
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const auto told = [](const std::string& path) {
    const auto loaded = load_file(path, plain);
    REQUIRE_FALSE(loaded);
    return to_string("file", loaded.error().at(0));
  };
  CHECK(told(folder + "/missing.toml")
          .starts_with("file: the file cannot be read: No such file or directory; check"));
  CHECK(told(folder).starts_with("file: the file cannot be read: Is a directory; check"));
  std::ofstream{folder + "/large.toml"} << "#" << std::string((1U << 20U) + 1, 'x');
  CHECK(told(folder + "/large.toml").starts_with("file: the file is larger than 1 MiB"));
  std::ofstream{folder + "/good.toml"} << file_parts{}.whole();
  CHECK(load_file(folder + "/good.toml", plain));
  std::filesystem::remove_all(folder);
}
