// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/postgres/checkpoint_table.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace replicant::test {

inline pg_cluster& server() {
  static pg_cluster one;
  return one;
}

inline const std::string suffix = ".before-";

/// A database, slot and pipeline of one name, and the commands that change its position.
class shop {
public:
  /// `sink` is the rest of the configuration.
  shop(const std::string& name, const std::string& sink) : name_{name} {
    server().exec("CREATE DATABASE " + name);
    client().exec("CREATE TABLE t (id int PRIMARY KEY); CREATE PUBLICATION p FOR TABLE t");
    configure(sink);
  }

  void configure(const std::string& sink) {
    file_ = write_in(folder, "c.toml",
                     "[runtime]\nstate_dir = \"" + (folder / "state") +
                       "\"\n[[pipeline]]\nname = \"" + name_ + "\"\nslot_name = \"" + name_ +
                       "\"\npublication = \"p\"\ngo_forward_only = true\nconnection = { conninfo = "
                       "\"" +
                       conninfo() + "\" }\n" + sink);
  }

  [[nodiscard]] std::string conninfo() const {
    return server().conninfo("user=postgres dbname=" + name_);
  }

  [[nodiscard]] sql_client client() const { return server().client(name_); }

  [[nodiscard]] const std::string& file() const { return file_; }

  outcome run(const std::string& verb, const std::string& confirmation = {}) const {
    std::vector<std::string> arguments{"checkpoint", verb, file_};
    if (!confirmation.empty())
      arguments.insert(arguments.end(), {"--confirm", confirmation});
    return run_program(arguments);
  }

  nlohmann::json shown() const {
    const auto told = run_program({"checkpoint", "show", file_, "--format", "json"});
    return nlohmann::json::parse(told.out).at("checkpoints").at(0);
  }

  void make_slot() const {
    client().exec("SELECT pg_create_logical_replication_slot('" + name_ + "', 'pgoutput')");
  }

  void drop_slot() const { client().exec("SELECT pg_drop_replication_slot('" + name_ + "')"); }

  [[nodiscard]] std::string confirmed() const {
    return client().value(
      "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '" + name_ + "'");
  }

  /// Runs the program until `until` holds, and stops it.
  template <class Condition>
  void stream(Condition until) const {
    invocation running{folder, {"run", file_}};
    CHECK(wait_until(until));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
  }

  /// Streams a row with this id to the file.
  void stream_row(int id) const {
    const auto text = "\"id\":" + std::to_string(id);
    invocation running{folder, {"run", file_}};
    REQUIRE(wait_until([&] { return streams(); }));
    client().exec("INSERT INTO t VALUES (" + std::to_string(id) + ")");
    CHECK(wait_until([&] { return written().find(text) != std::string::npos; }));
    running.signal(SIGTERM);
    CHECK(running.wait() == 0);
  }

  [[nodiscard]] bool streams() const {
    const auto told = cli::ask_status(folder / "state/control.sock");
    return told && told->find("\"state\":\"streaming\"") != std::string::npos;
  }

  [[nodiscard]] std::string written() const { return read_file(lines()); }

  [[nodiscard]] std::string lines() const { return folder / "out.jsonl"; }

  /// What was kept of files, by its first name.
  [[nodiscard]] std::map<std::string, std::string> kept() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
      if (const auto name = entry.path().filename().string();
          name.find(suffix) != std::string::npos)
        found.emplace(name.substr(0, name.find(suffix)), read_file(entry.path()));
    return found;
  }

  [[nodiscard]] postgres::checkpoint_table store() const {
    return postgres::checkpoint_table{conninfo(), "kept", name_};
  }

  temp_dir folder;

private:
  std::string name_;
  std::string file_;
};

inline std::string to_file(const temp_dir& folder) {
  return "sink = { kind = \"jsonl\", path = \"" + (folder / "out.jsonl") + "\" }\n";
}

/// A shop that writes a file.
struct filing : shop {
  explicit filing(const std::string& name) : shop{name, "sink = { kind = \"null\" }\n"} {
    configure(to_file(folder));
  }
};

/// A shop that keeps its position in its own database.
struct storing : shop {
  explicit storing(const std::string& name) : shop{name, "sink = { kind = \"null\" }\n"} {
    configure("sink = { kind = \"null\" }\ncheckpoint_store = { conninfo = \"" + conninfo() +
              "\", table = \"kept\" }\n");
  }
};

} // namespace replicant::test
