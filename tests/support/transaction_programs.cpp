// SPDX-License-Identifier: MIT
#include "replicant/tests/support/transaction_programs.hpp"

#include "replicant/tests/support/program_session.hpp"

namespace replicant::test {

namespace {

constexpr const char* tables = R"(
  CREATE TABLE mixed (id bigint PRIMARY KEY, who int NOT NULL, mark int DEFAULT 0, note text);
  ALTER TABLE mixed ALTER note SET STORAGE EXTERNAL;
  CREATE INDEX ON mixed (who, id);
  CREATE TABLE whole (id bigint, who int, mark int DEFAULT 0, note text);
  ALTER TABLE whole REPLICA IDENTITY FULL;
  ALTER TABLE whole ALTER note SET STORAGE EXTERNAL;
  CREATE TABLE divided (id bigint, who int, mark int DEFAULT 0, note text, PRIMARY KEY (id, who))
    PARTITION BY RANGE (who);
  CREATE TABLE divided_low PARTITION OF divided FOR VALUES FROM (MINVALUE) TO (2);
  CREATE TABLE divided_high PARTITION OF divided FOR VALUES FROM (2) TO (MAXVALUE);
  CREATE TABLE hidden (id bigint PRIMARY KEY, who int, mark int DEFAULT 0, note text);
  CREATE PUBLICATION programs FOR TABLE mixed, whole, divided;
  CREATE FUNCTION attempt(first bigint, count int, owner int, note text, fails boolean)
    RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO mixed (id, who, note)
      SELECT n, owner, note FROM generate_series(first, first + count - 1) n;
    BEGIN
      INSERT INTO mixed (id, who, note)
        SELECT n, owner, note FROM generate_series(first + count, first + 2 * count - 1) n;
      IF fails THEN RAISE EXCEPTION 'undone'; END IF;
    EXCEPTION WHEN raise_exception THEN
      INSERT INTO mixed (id, who, note) VALUES (first + 2 * count, owner, 'after');
    END;
  END $$)";

/// A table of one session: nobody else holds locks that keep it from being altered.
std::string own_table(unsigned who) {
  const auto name = "own_" + std::to_string(who);
  return "CREATE TABLE " + name +
         " (id bigint PRIMARY KEY, who int, mark int DEFAULT 0, note text); ALTER PUBLICATION "
         "programs "
         "ADD TABLE " +
         name;
}

} // namespace

std::vector<std::string> programs_conf() {
  return {"max_prepared_transactions = 20", "logical_decoding_work_mem = 64kB", "autovacuum = off"};
}

transaction_programs::transaction_programs(const pg_cluster& server, std::uint32_t seed,
                                           unsigned sessions)
  : world_{.chance = std::mt19937{seed}}, outside_{server.client()} {
  server.exec(tables);
  for (unsigned who = 0; who < sessions; ++who) {
    server.exec(own_table(who));
    sessions_.emplace_back(server.client(), who, world_);
  }
}

void transaction_programs::run(unsigned steps) {
  constexpr unsigned turns_prepared = 25;
  for (unsigned step = 0; step < steps; ++step) {
    sessions_[world_.below(sessions_.size())].step();
    if (!world_.prepared.empty() && world_.one_in(turns_prepared))
      end_prepared();
  }
}

void transaction_programs::end_prepared() {
  auto [name, left] = std::move(world_.prepared.front());
  world_.prepared.pop_front();
  if (world_.one_in(3)) {
    outside_.exec("ROLLBACK PREPARED '" + name + "'");
    return;
  }
  outside_.exec("COMMIT PREPARED '" + name + "'");
  world_.record(std::move(left));
}

void transaction_programs::finish() {
  for (auto& session : sessions_)
    session.finish();
  while (!world_.prepared.empty())
    end_prepared();
  // Flushes a message that stands at the end.
  const auto id = std::to_string(world_.take_ids(1));
  const auto row = outside_.value("INSERT INTO mixed (id, who) VALUES (" + id +
                                  ", 0) RETURNING pg_current_xact_id()");
  world_.record({static_cast<std::uint32_t>(std::stoul(row)), {"insert mixed " + id}});
}

} // namespace replicant::test
