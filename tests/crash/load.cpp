// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/load.hpp"

#include <array>
#include <random>
#include <stdexcept>
#include <string>

namespace replicant::test {

namespace {

using namespace std::chrono_literals;

constexpr const char* tables = R"(
  CREATE TABLE orders (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, customer int NOT NULL,
    amount numeric(12,2), note text, paid boolean, placed timestamptz DEFAULT now(),
    tags text[], raw bytea, ratio float8, spare text);
  ALTER TABLE orders ALTER note SET STORAGE EXTERNAL;
  CREATE INDEX ON orders (customer, id);
  CREATE TABLE items (customer int, line int, label text, PRIMARY KEY (customer, line));
  ALTER TABLE items REPLICA IDENTITY FULL;
  ALTER TABLE items ALTER label SET STORAGE EXTERNAL;
  CREATE TABLE events (who int, what text);
  ALTER TABLE events REPLICA IDENTITY FULL;
  CREATE TABLE scratch (id bigint PRIMARY KEY, "what's in" text);
  CREATE TABLE audit (id bigserial PRIMARY KEY, what text);
  CREATE PUBLICATION shop FOR TABLE orders, items, events, scratch)";

constexpr const char* some_text = "(SELECT string_agg(md5(random()::text), E'\\n\\'\"') FROM "
                                  "generate_series(1, (random() * 6)::int))";

/// More than PostgreSQL keeps in a row: an update that leaves it alone does not send it.
constexpr const char* long_text =
  "(SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 150))";

/// One writer's ways to fill a transaction. `who` keeps writers out of each other's rows.
class writer {
public:
  writer(sql_client& session, std::mt19937& chance, unsigned who)
    : session_{session},
      chance_{chance},
      who_{std::to_string(who)},
      prepared_{"'writer" + who_ + "'"} {
    // One that was prepared when the server went down would lock its rows for ever.
    try {
      session_.exec("ROLLBACK PREPARED " + prepared_);
    } catch (const std::runtime_error&) {
      // There was none.
    }
  }

  void work() {
    using way = void (writer::*)();
    constexpr std::array<way, 12> ways{
      &writer::buy,         &writer::buy,        &writer::pay,           &writer::cancel,
      &writer::change_mind, &writer::regret,     &writer::move_key,      &writer::write_much,
      &writer::copy_in,     &writer::clear_away, &writer::in_two_phases, &writer::emit};
    (this->*ways.at(below(ways.size())))();
  }

private:
  std::size_t below(std::size_t limit) { return chance_() % limit; }

  std::string order() {
    return "INSERT INTO orders (customer, amount, note, paid, tags, raw, ratio) VALUES (" + who_ +
           ", (random() * 1000)::numeric(12,2), " + (below(4) == 0 ? long_text : some_text) +
           ", random() < 0.5, ARRAY['a', NULL, 'b \"c\"'], '\\x00ff27', random() * 1e10);";
  }

  std::string latest(int count) const {
    return "(SELECT id FROM orders WHERE customer = " + who_ + " ORDER BY id DESC LIMIT " +
           std::to_string(count) + ")";
  }

  void buy() {
    session_.exec("BEGIN;" + order());
    session_.exec("INSERT INTO items SELECT " + who_ + ", coalesce(max(line), 0) + 1, " +
                  some_text + " FROM items WHERE customer = " + who_ +
                  " HAVING count(*) < 300; COMMIT");
  }

  void pay() {
    session_.exec("UPDATE orders SET paid = true, amount = NULL WHERE id IN " + latest(3));
    session_.exec("UPDATE items SET label = CASE WHEN random() < 0.5 THEN label ELSE " +
                  std::string{long_text} + " END WHERE customer = " + who_ + " AND line < 4");
  }

  void cancel() {
    session_.exec("BEGIN; DELETE FROM orders WHERE id IN " + latest(2));
    session_.exec("DELETE FROM items WHERE customer = " + who_ + " AND line % 5 = 0; COMMIT");
  }

  void change_mind() {
    session_.exec("BEGIN;" + order() + "SAVEPOINT a;" + order());
    session_.exec("SAVEPOINT b;" + order() + "ROLLBACK TO b;" + order());
    if (below(2) == 0)
      session_.exec("ROLLBACK TO a");
    session_.exec(order() + "COMMIT");
  }

  void regret() {
    session_.exec("BEGIN;" + order());
    session_.exec("DELETE FROM items WHERE customer = " + who_ + "; ROLLBACK");
  }

  void move_key() {
    const auto key = std::to_string(below(1'000'000'000)) + "0" + who_;
    session_.exec("INSERT INTO scratch VALUES (" + key + ", " + some_text + ")");
    session_.exec("UPDATE scratch SET id = -id WHERE id = " + key);
  }

  /// About 400 KiB: more than a chunk, and open for a while.
  void write_much() {
    session_.exec("BEGIN");
    for (int part = 0; part < 4; ++part)
      session_.exec("INSERT INTO events SELECT " + who_ +
                    ", repeat(md5(n::text), 62) FROM generate_series(1, 50) n");
    session_.exec("DELETE FROM events WHERE ctid IN (SELECT ctid FROM events WHERE who = " + who_ +
                  " LIMIT 100); COMMIT");
  }

  /// Rows that share one WAL record.
  void copy_in() {
    session_.exec("COPY events FROM PROGRAM 'seq 1 40 | sed \"s/.*/" + who_ +
                  ",row &/\"' (FORMAT csv)");
  }

  void clear_away() {
    session_.exec(below(2) == 0 ? "BEGIN; TRUNCATE scratch, audit; INSERT INTO scratch VALUES (" +
                                    who_ + ", 'after'); DELETE FROM scratch; COMMIT"
                                : "TRUNCATE scratch RESTART IDENTITY CASCADE");
  }

  void in_two_phases() {
    session_.exec("BEGIN;" + order() + "PREPARE TRANSACTION " + prepared_);
    session_.exec((below(3) == 0 ? "ROLLBACK PREPARED " : "COMMIT PREPARED ") + prepared_);
  }

  void emit() {
    session_.exec("BEGIN; SELECT pg_logical_emit_message(true, 'a', 'x');" + order() +
                  "SELECT pg_logical_emit_message(false, 'b', 'y'); COMMIT");
    session_.exec("SELECT pg_logical_emit_message(true, 'alone', 'x')");
  }

  sql_client& session_;
  std::mt19937& chance_;
  std::string who_;
  std::string prepared_;
};

/// Changes tables and the publication, step by step.
void alter(sql_client& session, std::mt19937& chance, std::uint64_t step) {
  const auto number = std::to_string(step / 6);
  const auto wave = "wave_" + number;
  switch (step % 6) {
    case 0: session.exec("ALTER TABLE orders ADD COLUMN extra_" + number + " int DEFAULT 7"); break;
    case 1:
      session.exec("BEGIN; CREATE TABLE " + wave + " (id int PRIMARY KEY, \"odd \"\"name\" text);" +
                   "ALTER PUBLICATION shop ADD TABLE " + wave + "; INSERT INTO " + wave +
                   " VALUES (1, 'born'); COMMIT");
      break;
    case 2: session.exec("INSERT INTO " + wave + " VALUES (2, NULL); DELETE FROM " + wave); break;
    case 3:
      session.exec(std::string{"ALTER TABLE items REPLICA IDENTITY "} +
                   (chance() % 2 == 0 ? "DEFAULT" : "FULL"));
      break;
    case 4: session.exec("ALTER TABLE orders DROP COLUMN IF EXISTS extra_" + number); break;
    default:
      // The first writes the table anew, the second nothing.
      session.exec(chance() % 2 == 0 ? "ALTER TABLE scratch ALTER id TYPE bigint USING id + 0"
                                     : "DROP TABLE IF EXISTS " + wave);
  }
}

} // namespace

void make_shop(const pg_cluster& server) {
  server.exec(tables);
}

std::vector<std::string> shop_conf() {
  return {"max_prepared_transactions = 20"};
}

shop_load::shop_load(const pg_cluster& server, unsigned writers) : server_{server} {
  using std::chrono::milliseconds;
  for (unsigned who = 1; who <= writers; ++who)
    employ([this, who, chance = std::mt19937{who}](sql_client& session,
                                                   const std::stop_token& ending) mutable {
      for (writer one{session, chance, who}; !ending.stop_requested(); ++transactions_) {
        one.work();
        std::this_thread::sleep_for(milliseconds{chance() % 16});
      }
    });
  employ([chance = std::mt19937{100},
          step = std::uint64_t{0}](sql_client& session, const std::stop_token& ending) mutable {
    session.exec("SET lock_timeout = '500ms'");
    while (!ending.stop_requested()) {
      alter(session, chance, step++);
      std::this_thread::sleep_for(milliseconds{20 + chance() % 60});
    }
  });
  employ([chance = std::mt19937{200}](sql_client& session, const std::stop_token& ending) mutable {
    while (!ending.stop_requested()) {
      session.exec("INSERT INTO audit (what) SELECT repeat('y', 200) FROM generate_series(1, 20)");
      std::this_thread::sleep_for(milliseconds{chance() % 30});
    }
  });
}

void shop_load::stop() {
  for (auto& thread : threads_)
    thread.request_stop();
  threads_.clear();
}

template <class Work>
void shop_load::employ(Work work) {
  threads_.emplace_back([this, work = std::move(work)](const std::stop_token& ending) mutable {
    while (!ending.stop_requested())
      try {
        auto session = server_.client();
        work(session, ending);
      } catch (const std::runtime_error&) {
        // A restart, a lock that took too long, a row that is gone: what counts is what the server
        // says was committed.
        std::this_thread::sleep_for(20ms);
      }
  });
}

} // namespace replicant::test
