// SPDX-License-Identifier: MIT
#include "replicant/tests/actors/pipeline_run.hpp"

#include <caf/send.hpp>
#include <catch2/catch.hpp>

namespace replicant {

namespace {

constexpr auto too_early = "acknowledged what the sink does not have";
constexpr auto went_back = "confirmed less than before";

} // namespace

pipeline_run::pipeline_run(std::string name, std::shared_ptr<actor_home> home)
  : home_{std::move(home)} {
  settings.slot_name = name + "_slot";
  settings.name = std::move(name);
  settings.streaming.spill->dir = spill_folder.path();
  server.on_confirmed = [this](lsn confirmed) { judge(confirmed); };
}

pipeline_run::~pipeline_run() {
  ledger->plan.release_all();
  store->plan.release_all();
  server.plan.release_all();
  if (handle_)
    CHECK(stop().phase != pipeline_phase::stopping);
  CHECK_FALSE(log->holds(too_early));
  CHECK_FALSE(log->holds(went_back));
}

void pipeline_run::start(sink_factory make_sink) {
  handle_ = replicant::start(home_->system, settings,
                             {server.connections(), std::move(make_sink),
                              settings.checkpoint_store ? stores_over(store) : nullptr},
                             watcher);
}

pipeline_status pipeline_run::status() const {
  return replicant::status(home_->system, handle_);
}

pipeline_status pipeline_run::stop(std::chrono::milliseconds patience) {
  return replicant::stop(home_->system, handle_, patience);
}

void pipeline_run::kill() {
  caf::anon_send_exit(handle_, caf::exit_reason::kill);
}

bool pipeline_run::reaches(pipeline_phase phase) const {
  return test::wait_until([&] { return status().phase == phase; });
}

fault pipeline_run::halts() const {
  return reaches(pipeline_phase::halted) ? status().last_fault.value_or(fault{}) : fault{};
}

bool pipeline_run::confirms(std::uint64_t position) const {
  return test::wait_until([&] { return server.confirmed() == lsn{position}; });
}

bool pipeline_run::takes(const std::vector<std::uint64_t>& commits) const {
  return test::wait_until([&] { return ledger->commits() == commits; });
}

std::uint64_t pipeline_run::asks() {
  // Positions far below the stream: each is new, so it asks for nothing but an answer.
  return asks(++asked_);
}

std::uint64_t pipeline_run::asks(std::uint64_t wal_end) {
  const auto before = server.statuses().size();
  server.send_keepalive(wal_end, true);
  REQUIRE(test::wait_until([&] { return server.statuses().size() > before; }));
  return server.statuses().back().flushed.value();
}

void pipeline_run::judge(lsn confirmed) {
  if (confirmed.value() < confirmed_.value())
    log->note("judge", went_back);
  confirmed_ = confirmed;
  // What lies below the first stream was never meant for this sink.
  const auto begin = server.streams().front().value();
  const auto durable = ledger->durable_commits();
  for (const auto commit : server.commits_sent())
    if (commit >= begin && commit < confirmed.value() && !durable.contains(commit))
      log->note("judge", too_early);
}

} // namespace replicant
