// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/actors/pipeline.hpp"
#include "replicant/tests/support/pg_cluster.hpp"
#include "replicant/tests/support/temp_dir.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace replicant::test {

/// A pipeline on a database of its own, whose publication has all tables; one is there:
/// `t (id int primary key, note text)`. Database, slot and pipeline have one name. Stopped, and the
/// slot dropped, with the object.
class source_pipeline {
public:
  source_pipeline(const pg_cluster& server, const std::string& name);
  source_pipeline(const source_pipeline&) = delete;
  source_pipeline& operator=(const source_pipeline&) = delete;
  ~source_pipeline();

  /// For the next `launch`.
  pipeline_settings settings;

  /// Starts it; what ran before has to have been stopped.
  void launch(sink_factory sinks, std::shared_ptr<observer> watcher = nullptr);

  /// Starts it and waits until it streams. Fails the test when it does not.
  void run(sink_factory sinks, std::shared_ptr<observer> watcher = nullptr);

  /// As `replicant::stop`.
  pipeline_status stop();

  [[nodiscard]] sql_client sql() const { return server_.client(settings.name); }

  void exec(const std::string& statement) const { sql().exec(statement); }

  /// One row in a transaction of its own.
  void insert(int id, const std::string& note = "x") const {
    exec("insert into t values (" + std::to_string(id) + ", '" + note + "')");
  }

  /// Ends the stream, alters while it is gone, and waits for the next.
  void exec_while_away(const std::string& statement) const;

  /// Ends the stream from the server's side and waits for the next.
  void interrupt() const;

  [[nodiscard]] pipeline_status now() const { return status(system_, pipeline_); }

  /// Waits until so many transactions are durable.
  [[nodiscard]] bool took(std::uint64_t transactions) const;

  /// Waits until all that has been committed by now was read.
  [[nodiscard]] bool reads_on() const;

  /// Waits until it halts. @returns why; `crashed` when it does not.
  [[nodiscard]] fault halts() const;

  /// A column of the slot.
  [[nodiscard]] std::string slot(const std::string& column) const;

  /// What the slot has confirmed.
  [[nodiscard]] std::uint64_t confirmed() const;

  /// Waits until the slot has reached the end of the WAL as it is now.
  [[nodiscard]] bool drains() const;

private:
  [[nodiscard]] std::string slot_row() const;

  const pg_cluster& server_;
  temp_dir spill_folder_;
  caf::actor_system_config config_;
  mutable caf::actor_system system_{config_};
  pipeline_actor pipeline_;
};

} // namespace replicant::test
