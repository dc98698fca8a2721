// SPDX-License-Identifier: MIT
#include "replicant/actors/postgres/type_catalog.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <catch2/catch.hpp>

using namespace replicant;
using namespace replicant::test;

namespace {

pg_cluster& server() {
  static pg_cluster one;
  return one;
}

std::uint32_t oid_of(const std::string& type, const std::string& database) {
  return static_cast<std::uint32_t>(
    std::stoul(server().client(database).value("SELECT '" + type + "'::regtype::oid")));
}

/// A shape in a notation of its own.
std::string told(const type_shape& type) {
  const auto of_element = [&](const std::string& name) {
    return name + "(" + told(*type.element) + ")";
  };
  switch (type.kind) {
    case type_kind::scalar: return std::to_string(type.reads_as);
    case type_kind::array: return of_element(std::string{"array"} + type.delimiter);
    case type_kind::range: return of_element("range");
    case type_kind::multirange: return of_element("multirange");
    case type_kind::composite: break;
  }
  std::string text = "composite";
  for (const auto& [oid, shape] : type.attributes)
    text += " " + told(*shape);
  return text;
}

/// A database of its own, whose user may do nothing but log in.
class scene {
public:
  explicit scene(const std::string& name) : name_{name} {
    server().exec("CREATE DATABASE " + name);
    server().exec("CREATE ROLE " + name + " LOGIN REPLICATION");
    server().client(name).exec("REVOKE ALL ON SCHEMA public FROM PUBLIC");
  }

  void exec(const std::string& sql) const { server().client(name_).exec(sql); }

  [[nodiscard]] std::uint32_t oid(const std::string& type) const { return oid_of(type, name_); }

  [[nodiscard]] std::string conninfo() const {
    return server().conninfo("user=" + name_ + " dbname=" + name_);
  }

  [[nodiscard]] long sessions() const {
    return std::stol(server().client().value(
      "SELECT count(*) FROM pg_stat_activity WHERE usename = '" + name_ + "'"));
  }

private:
  std::string name_;
};

std::string find(replicant::type_catalog& catalog, std::uint32_t oid) {
  const auto found = catalog.find(oid);
  return found ? told(**found) : std::string{to_string(found.error())};
}

} // namespace

TEST_CASE("the table of built-in types says what every server's catalog says",
          "[types][postgres]") {
  const pg_cluster cluster;
  // Types that no column can have are left out, and catalogs' row types.
  const auto types = cluster.exec(R"(
    SELECT t.oid, CASE WHEN r.rngtypid IS NOT NULL THEN 'range' WHEN m.rngmultitypid IS NOT NULL
      THEN 'multirange' WHEN t.typoutput = 'array_out'::regproc THEN 'array' || e.typdelim::text
      ELSE 'scalar' END, coalesce(r.rngsubtype, m.rngtypid, t.typelem)
    FROM pg_type t LEFT JOIN pg_range r ON r.rngtypid = t.oid
      LEFT JOIN pg_range m ON m.rngmultitypid = t.oid LEFT JOIN pg_type e ON e.oid = t.typelem
    WHERE t.oid < 10000 AND t.typtype NOT IN ('p', 'c')
      AND (e.oid IS NULL OR e.typtype NOT IN ('p', 'c')))");
  CHECK(types.size() > 150);
  for (const auto& type : types) {
    const auto oid = static_cast<std::uint32_t>(std::stoul(type[0].value()));
    const auto shape = built_in_type(oid);
    INFO(oid);
    REQUIRE(shape != nullptr);
    if (type[1] == "scalar") {
      CHECK(told(*shape) == std::to_string(oid));
      continue;
    }
    const auto element = built_in_type(static_cast<std::uint32_t>(std::stoul(type[2].value())));
    CHECK(shape->element == element);
    CHECK(told(*shape) == type[1].value() + "(" + told(*element) + ")");
  }
  CHECK(cluster.client().value("SELECT count(*) FROM pg_type WHERE oid >= 10000 AND oid < 16384 "
                               "AND typtype IN ('r', 'm', 'e')") == "0");
}

TEST_CASE("types are traced to what their values are made of", "[types][postgres]") {
  const scene where{"traced"};
  where.exec(R"(
    CREATE DOMAIN percent AS int4 CHECK (VALUE >= 0);
    CREATE DOMAIN share AS percent;
    CREATE DOMAIN shares AS share[];
    CREATE DOMAIN boxes AS box;
    CREATE TYPE mood AS ENUM ('sad', 'a "quoted, one"');
    CREATE TYPE nothing AS ENUM ();
    CREATE TYPE vacant AS ();
    CREATE TYPE span AS RANGE (subtype = float8, multirange_type_name = spans);
    CREATE TYPE pair AS (a int4, m mood, s shares);
    CREATE TABLE row_type (p pair, t text, dropped mood);
    ALTER TABLE row_type DROP COLUMN dropped;
    CREATE EXTENSION citext; CREATE EXTENSION hstore; CREATE EXTENSION lo;)");
  postgres::type_catalog catalog{where.conninfo()};
  const auto expect = [&](const std::string& type, const std::string& shape) {
    INFO(type);
    CHECK(find(catalog, where.oid(type)) == shape);
  };
  expect("percent", "23");
  expect("share", "23");
  expect("shares", "array,(23)");
  expect("shares[]", "array,(array,(23))");
  expect("boxes[]", "array;(603)");
  expect("mood", "25");
  expect("mood[]", "array,(25)");
  expect("nothing", "25");
  expect("vacant", "composite");
  expect("span", "range(701)");
  expect("spans[]", "array,(multirange(range(701)))");
  expect("pair", "composite array,(23) 25");
  expect("row_type[]", "array,(composite composite array,(23) 25)");
  expect("citext", "25");
  expect("citext[]", "array,(25)");
  expect("hstore", "0");
  expect("hstore[]", "array,(0)");
  expect("lo", "26");
  expect("information_schema.sql_identifier", "19");
  expect("pg_class", "composite");
}

TEST_CASE("a type that is gone reads as nothing known, and is asked for again",
          "[types][postgres]") {
  const scene where{"gone"};
  where.exec("CREATE DOMAIN short AS int4");
  const auto oid = where.oid("short");
  postgres::type_catalog catalog{where.conninfo()};
  where.exec("DROP DOMAIN short");
  CHECK(find(catalog, oid) == "0");
  CHECK(find(catalog, 4'000'000'000) == "0");
  where.exec("CREATE DOMAIN short AS int4");
  CHECK(find(catalog, where.oid("short")) == "23");
}

TEST_CASE("a session is opened for the first type that is not built in and outlives its loss",
          "[types][postgres]") {
  const scene where{"kept"};
  where.exec("CREATE DOMAIN one AS int4; CREATE DOMAIN two AS int4; CREATE DOMAIN three AS int4");
  postgres::type_catalog catalog{where.conninfo()};
  CHECK(find(catalog, 25) == "25");
  CHECK(where.sessions() == 0);
  CHECK(find(catalog, where.oid("one")) == "23");
  CHECK(find(catalog, where.oid("two")) == "23");
  CHECK(where.sessions() == 1);
  server().exec("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = "
                "'kept'");
  CHECK(find(catalog, where.oid("one")) == "23");
  CHECK(where.sessions() == 0);
  CHECK(find(catalog, where.oid("three")) == "23");
  CHECK(where.sessions() == 1);
}

TEST_CASE("a source that cannot be asked is a fault, and no answer is kept", "[types][postgres]") {
  const scene where{"refused"};
  where.exec("CREATE DOMAIN one AS int4");
  const auto oid = where.oid("one");
  postgres::type_catalog catalog{where.conninfo()};
  server().exec("ALTER ROLE refused NOLOGIN");
  const auto refused = catalog.find(oid);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().why == reason::authentication_failed);
  CHECK(refused.error().code.text() == "28000");
  server().exec("ALTER ROLE refused LOGIN");
  CHECK(find(catalog, oid) == "23");

  postgres::interrupt_flag raised;
  raised.raise();
  postgres::type_catalog interrupted{where.conninfo(), &raised};
  const auto ended = interrupted.find(oid);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().why == reason::connection_lost);

  postgres::type_catalog nowhere{"host=127.0.0.1 port=" + std::to_string(free_port()) +
                                 " dbname=x"};
  const auto away = nowhere.find(oid);
  REQUIRE_FALSE(away);
  CHECK(away.error().why == reason::server_unavailable);
}
