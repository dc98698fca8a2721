// SPDX-License-Identifier: MIT
#include "replicant/tests/integration/source_pipeline.hpp"

#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <utility>

namespace replicant::test {

source_pipeline::source_pipeline(const pg_cluster& server, const std::string& name)
  : server_{server} {
  server_.exec("create database " + name);
  settings.name = name;
  settings.slot_name = name;
  settings.publications = {"p"};
  settings.go_forward_only = true;
  settings.streaming.spill->dir = spill_folder_.path();
  settings.conninfo = server_.conninfo("user=postgres dbname=" + name);
  exec("create table t (id int primary key, note text); create publication p for all tables");
}

source_pipeline::~source_pipeline() {
  if (pipeline_)
    stop();
  CHECK(wait_until([&] { return slot("active") != "t"; }));
  server_.exec("select pg_drop_replication_slot(slot_name)" + slot_row() + " and not active");
}

void source_pipeline::launch(sink_factory sinks, std::shared_ptr<observer> watcher) {
  pipeline_ = start(system_, settings, std::move(sinks), std::move(watcher));
}

void source_pipeline::run(sink_factory sinks, std::shared_ptr<observer> watcher) {
  launch(std::move(sinks), std::move(watcher));
  REQUIRE(wait_until([&] { return now().phase == pipeline_phase::streaming; }));
}

pipeline_status source_pipeline::stop() {
  return replicant::stop(system_, std::exchange(pipeline_, {}));
}

void source_pipeline::exec_while_away(const std::string& statement) const {
  const auto before = now().reconnects;
  auto session = server_.client();
  const auto admit = [&session, this](const std::string& whether) {
    session.exec("alter database " + settings.name + " allow_connections " + whether);
  };
  auto inside = sql();
  admit("false");
  session.exec("select pg_terminate_backend(" + slot("active_pid") + ")");
  CHECK(wait_until([&] { return now().phase != pipeline_phase::streaming; }));
  inside.exec(statement);
  admit("true");
  REQUIRE(wait_until([&] {
    const auto status = now();
    return status.reconnects > before && status.phase == pipeline_phase::streaming;
  }));
}

void source_pipeline::interrupt() const {
  exec_while_away("select");
}

bool source_pipeline::took(std::uint64_t transactions) const {
  return wait_until([&] { return now().transactions == transactions; });
}

bool source_pipeline::reads_on() const {
  const auto end = sql().position("select pg_current_wal_lsn()");
  return wait_until([&] { return now().received_end.value() >= end; });
}

fault source_pipeline::halts() const {
  const auto halted = wait_until([&] { return now().phase == pipeline_phase::halted; });
  return halted ? now().last_fault.value_or(fault{}) : fault{.why = reason::crashed};
}

std::string source_pipeline::slot(const std::string& column) const {
  return server_.client().value("select " + column + slot_row());
}

std::uint64_t source_pipeline::confirmed() const {
  return server_.client().position("select confirmed_flush_lsn" + slot_row());
}

std::string source_pipeline::slot_row() const {
  return " from pg_replication_slots where slot_name = '" + settings.slot_name + "'";
}

bool source_pipeline::drains() const {
  const auto end = server_.client().position("select pg_current_wal_lsn()");
  return wait_until([&] { return confirmed() >= end; }, std::chrono::seconds{60});
}

} // namespace replicant::test
