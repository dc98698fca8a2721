// SPDX-License-Identifier: MIT
#include "replicant/tests/config/planted_file.hpp"

using namespace replicant;
using namespace replicant::test;

namespace {

std::string second_pipeline(const std::string& name, const std::string& slot,
                            const std::string& conninfo, const std::string& path) {
  return "[[pipeline]]\nname = \"" + name + "\"\nslot_name = \"" + slot +
         "\"\npublication = \"p\"\nconnection = { conninfo = \"" + conninfo +
         "\" }\nsink = { kind = \"jsonl\", path = \"" + path + "\" }\n";
}

std::string missing(const std::string& key, const std::string& example) {
  return "file:" + key + " is missing, and nothing can stand in for it; write for example " +
         example + "\n";
}

} // namespace

TEST_CASE("an unknown key is refused and the nearest known one proposed", "[config][unit]") {
  CHECK(refused("[runtime]\nlog_levl = \"s3cr3t-planted\"\n" + file_parts{}.whole().substr(10))
          .starts_with("file:2:1: runtime has no such key; write \"log_level\" if that is meant"));
  file_parts file;
  file.pipeline += "slot = \"x\"\n";
  CHECK(refused(file.whole())
          .starts_with("file:6:1: pipeline has no such key; write \"slot_name\" if"));
}

TEST_CASE("an unknown key that resembles none is answered by all that exist", "[config][unit]") {
  file_parts file;
  file.connection += "  s3cr3t-planted = \"s3cr3t-planted\"\n";
  CHECK(refused(file.whole()) ==
        "file:8:3: pipeline.connection has no such key; the keys here are conninfo\n");
}

TEST_CASE("keys of other tables and kinds are unknown", "[config][unit]") {
  CHECK(refused(file_parts{.sink = "kind = \"null\"\npath = \"/x\"\n"}.whole())
          .starts_with("file:11:1: pipeline.sink.path belongs to a sink of another kind"));
  CHECK(refused("nonsense_there = 2\n" + file_parts{}.whole())
          .starts_with("file:1:1: the file has no such key; the keys here are runtime, pipeline"));
}

TEST_CASE("what is missing is told where its table begins", "[config][unit]") {
  CHECK(refused("[[pipeline]]\n") ==
        missing("1:1: pipeline.name", "name = \"shop\"") +
          missing("1:1: pipeline.slot_name", "slot_name = \"shop_orders\"") +
          missing("1:1: pipeline.publication", "publication = \"shop_pub\"") +
          missing("1:1: pipeline.connection",
                  "[pipeline.connection] with conninfo = \"host=db1 dbname=shop user=cdc\" below "
                  "it") +
          missing("1:1: pipeline.sink", "[pipeline.sink] with kind = \"jsonl\" and path = "
                                        "\"/var/lib/replicant/shop.jsonl\" below it"));
  CHECK(refused("") == missing("1:1: pipeline", "[[pipeline]] with its keys below it"));
  CHECK(
    refused(file_parts{.connection = ""}.whole()) ==
    missing("6:1: pipeline.connection.conninfo", "conninfo = \"host=db1 dbname=shop user=cdc\""));
  CHECK(refused(file_parts{.sink = "path = \"/x\"\n"}.whole())
          .starts_with("file:9:1: pipeline.sink.kind is missing"));
  CHECK(refused(file_parts{.sink = "kind = \"jsonl\"\n"}.whole())
          .starts_with("file:9:1: pipeline.sink.path is missing"));
}

TEST_CASE("a table where another form is needed is refused", "[config][unit]") {
  CHECK(refused("[pipeline]\nname = \"a\"\n")
          .starts_with("file:1:1: pipeline has the wrong type; a table stands here; write "
                       "[[pipeline]]"));
  CHECK(refused("pipeline = []\n").starts_with("file:1:12: pipeline is an empty list"));
  CHECK(refused("pipeline = [1]\n").starts_with("file:1:13: pipeline has the wrong type"));
  CHECK(refused("runtime = 1\n" + file_parts{}.whole().substr(10))
          .starts_with("file:1:11: runtime has the wrong type"));
  CHECK(refused("[[pipeline]]\nname=\"a\"\nslot_name=\"a\"\npublication=\"a\"\n"
                "connection.conninfo=\"host=a\"\nsink=\"null\"\n")
          .starts_with("file:6:6: pipeline.sink has the wrong type"));
}

TEST_CASE("all problems are told at once, in the order of the file", "[config][unit]") {
  const auto told =
    refused("[[pipeline]]\nname = \"\"\nslot_name = 1\npublication = [\"a\", 2, \"a\"]"
            "\ntypo = 1\n[pipeline.connection]\nconninfo = \"\"\n"
            "[pipeline.sink]\nkind = \"other\"\n[runtime]\nthreads = 0\n");
  std::vector<std::string> places;
  std::istringstream lines{told};
  for (std::string line; std::getline(lines, line);)
    places.push_back(line.substr(5, line.find(": ") - 5));
  CHECK(places ==
        std::vector<std::string>{"2:8", "3:13", "4:21", "4:24", "5:1", "7:12", "9:8", "11:11"});
}

TEST_CASE("a text that is not TOML is told by place alone", "[config][unit]") {
  CHECK(
    refused("[[pipeline]]\nname = \"s3cr3t-planted\n").starts_with("file:2:23: this is not TOML"));
  CHECK(refused("a = 1\ns3cr3t-planted = 1\ns3cr3t-planted = 2\n").starts_with("file:3:"));
  CHECK(refused("a = \xff\n").starts_with("file:1:"));
}

TEST_CASE("pipelines that cannot run beside each other are refused", "[config][unit]") {
  const auto first = second_pipeline("one", "s1", "host=a dbname=x", "/tmp/replicant/one");
  CHECK(accepted(first + second_pipeline("two", "s2", "host=a dbname=x", "/tmp/replicant/two"))
          .pipelines.size() == 2);
  CHECK(refused(first + second_pipeline("one", "s2", "host=a", "/tmp/replicant/two"))
          .starts_with("file:8:8: pipeline.name is the name of an earlier pipeline"));
  CHECK(refused(first + second_pipeline("two", "s1", "dbname=y  host='a'", "/tmp/replicant/two"))
          .starts_with("file:9:13: pipeline.slot_name is the slot of an earlier pipeline"));
  CHECK(accepted(first + second_pipeline("two", "s1", "host=b", "/tmp/replicant/two"))
          .pipelines.size() == 2);
  CHECK(refused(first + second_pipeline("two", "s2", "host=a", "/tmp/./replicant/x/../one"))
          .starts_with("file:12:33: pipeline.sink.path is the target of an earlier pipeline"));
  for (const auto* kept : {".next", ".synced", ".synced.new", ".00000000016E3778"}) {
    const auto beside = "/tmp/replicant/x/../one" + std::string{kept};
    CHECK(refused(first + second_pipeline("two", "s2", "host=a", beside))
            .starts_with("file:12:33: pipeline.sink.path is the target of an earlier pipeline"));
    CHECK(refused(second_pipeline("one", "s1", "host=a", beside) +
                  second_pipeline("two", "s2", "host=a", "/tmp/replicant/one"))
            .starts_with("file:12:33: pipeline.sink.path is the target of an earlier pipeline"));
  }
  CHECK(accepted(first + second_pipeline("two", "s2", "host=a", "/tmp/replicant/one.00"))
          .pipelines.size() == 2);
}

TEST_CASE("what does not go together with a checkpoint store is refused", "[config][unit]") {
  file_parts file;
  file.store = "conninfo = \"host=db2\"\n";
  CHECK(refused(file.whole())
          .starts_with("file:9:1: pipeline.checkpoint_store has no meaning for a sink that writes "
                       "a file"));
  file.sink = "kind = \"null\"\n";
  accepted(file.whole());
  file.pipeline += "batch_delivery = {}\n";
  CHECK(refused(file.whole())
          .starts_with("file:10:1: pipeline.checkpoint_store does not go together with "
                       "batch_delivery"));
}

TEST_CASE("pipelines may share the table of a checkpoint store, and no row of it",
          "[config][unit]") {
  const auto one = [](const std::string& name, const std::string& slot, const std::string& host,
                      const std::string& table) {
    return "[[pipeline]]\nname = \"" + name + "\"\nslot_name = \"" + slot +
           "\"\npublication = \"p\"\nconnection = { conninfo = \"host=" + host +
           "\" }\nsink = { kind = \"null\" }\n"
           "checkpoint_store = { conninfo = \"host=s\", table = \"" +
           table + "\" }\n";
  };
  const auto first = one("one", "slot", "a", "kept");
  accepted(first + one("two", "other", "b", "kept"));
  accepted(first + one("two", "slot", "b", "kept2"));
  for (const auto* same : {"kept", "public.kept"})
    CHECK(refused(first + one("two", "slot", "b", same))
            .starts_with("file:14:20: pipeline.checkpoint_store has the table of an earlier"));
}

TEST_CASE("a state folder too deep for a socket asks for control_socket", "[config][unit]") {
  const std::string deep = "/" + std::string(100, 'd');
  CHECK(refused("[runtime]\nstate_dir = \"" + deep + "\"\n" + file_parts{}.whole().substr(10))
          .starts_with("file:2:13: runtime.control_socket, which is control.sock in the state "
                       "folder, cannot be the path of a socket"));
  const auto told = refused(file_parts{}.whole(), environment_of({{"HOME", deep}}));
  CHECK(told.starts_with("file:1:1: runtime.control_socket"));
}

TEST_CASE("a connection string that libpq refuses is told at its place", "[config][unit]") {
  const auto text =
    file_parts{.connection = "conninfo = \"host=${HOME} nonsense=s3cr3t-planted\"\n"}.whole();
  std::string seen;
  const auto loaded = load(text, plain, [&](const std::string& conninfo) {
    seen = conninfo;
    return complaint{"is refused by libpq"};
  });
  CHECK(seen == "host='/home/tester' nonsense='s3cr3t-planted'");
  REQUIRE_FALSE(loaded);
  const auto told = to_string("file", loaded.error().at(0));
  CHECK(told.starts_with("file:7:12: pipeline.connection.conninfo is refused by libpq"));
  CHECK(told.find(secret) == std::string::npos);
}

TEST_CASE("a variable that is wrong is told where it stands", "[config][unit]") {
  const auto told_at = [](const std::string& conninfo) {
    const auto told = refused(file_parts{.connection = "conninfo = " + conninfo + "\n"}.whole());
    return told.substr(0, told.find(": pipeline.connection.conninfo "));
  };
  CHECK(told_at(R"("host=${MISSING}" # ${HOME})") == "file:7:18");
  CHECK(told_at(R"("host=${HOME} user=$${a} password=${MISSING}")") == "file:7:46");
  CHECK(told_at(R"("user=ü password='${1A}'")") == "file:7:30");
  CHECK(told_at(R"("postgresql://${HOME}:${MISSING}@db1/shop")") == "file:7:34");
  CHECK(told_at(R"("postgresql://${HOME}@db1/shop?${HOME}=1")") == "file:7:43");
  CHECK(told_at(R"("host=db1 ${HOME}=1")") == "file:7:22");
  // In a string of several lines, or one that cannot be taken apart, it is the string.
  CHECK(told_at("\"\"\"host=db1\npassword=${MISSING}\"\"\"") == "file:7:12");
  CHECK(told_at(R"("host=db1 ${HOME}")") == "file:7:12");
}
