// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_server.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>

using namespace replicant;
using namespace replicant::test;

namespace {

std::shared_ptr<const type_shape> scalar(std::uint32_t reads_as) {
  return std::make_shared<type_shape>(type_shape{.reads_as = reads_as});
}

type_shape container(type_kind kind, std::shared_ptr<const type_shape> element) {
  return {.kind = kind, .element = std::move(element)};
}

constexpr std::uint32_t text = 25;

} // namespace

TEST_CASE("ranges and multiranges read as the server prints them", "[model][postgres]") {
  value_server server;
  const auto range = [](const std::string& name, const std::string& bound) {
    return name + "(least(a, b), greatest(a, b), (ARRAY['[)', '(]', '[]', '()'])[g % 4 + 1])" +
           " FROM (SELECT CASE WHEN g % 7 > 0 THEN " + bound +
           " END AS a, CASE WHEN g % 5 > 0 THEN " + bound + " END AS b) AS bounds";
  };
  const std::vector<std::pair<std::string, std::string>> subtypes{
    {"int4", "((random() - 0.5) * 1000)::int"},
    {"int8", "((random() - 0.5) * 1e15)::int8"},
    {"num", "((random() - 0.5) * 1000)::numeric"},
    {"date", "date '2026-01-01' + (random() * 1000000 - 800000)::int"},
    {"ts", "timestamp '2026-01-01' + (random() - 0.5) * interval '5000 years'"},
    {"tstz", "timestamptz '2026-01-01' + (random() - 0.5) * interval '5000 years'"}};
  for (const auto& [name, bound] : subtypes) {
    const auto some = "(SELECT " + range(name + "range", bound) + ")";
    server.check({name + "range", some, "'empty', '(,)'"});
    server.check({name + "multirange", name + "multirange(" + some + ", " + some + ")", "'{}'"});
    server.check({name + "range[]", "ARRAY[" + some + ", NULL, " + some + "]", ""});
    server.check({name + "multirange[]", "ARRAY[" + name + "multirange(" + some + ")]", ""});
  }
  server.check({"tsrange", "", "'[-infinity,infinity]', '[0044-03-15 BC,)'"});

  server.exec("CREATE TYPE public.words AS RANGE (subtype = text, subtype_opclass = text_ops,"
              "  collation = \"C\", multirange_type_name = public.phrases)");
  const auto words = container(type_kind::range, scalar(text));
  server.check({"public.words", "public.words(chr(g % 120 + 1), NULL)",
                R"('["",a]', '["a\"b","c\\d"]', '["(","["]', '["a b","a,b"]', '[NULL,null]')"},
               &words);
  const auto phrases = container(type_kind::multirange, std::make_shared<type_shape>(words));
  server.check({"public.phrases", "", R"('{["a b","a,b"],["x\"",]}', '{}')"}, &phrases);
  const auto list = container(type_kind::array, std::make_shared<type_shape>(words));
  server.check({"public.words[]", "", R"($${"[\"a b\",\"a\\\"b\"]",NULL}$$)"}, &list);
}

TEST_CASE("arrays read as the server prints them", "[model][postgres]") {
  value_server server;
  const auto list = [](const std::string& of, const std::string& most = "g % 6") {
    return "ARRAY(SELECT CASE WHEN random() > 0.1 THEN " + of +
           " END FROM generate_series(g, g + " + most + " - 1))";
  };
  server.check({"int4[]", list("(random() * 100)::int"),
                "'{}', '[0:1]={7,8}', '{{1,2},{3,4}}', '[-2:-1][3:4]={{1,2},{3,NULL}}',"
                "'{{{{{{1},{2}}}}}}', '[2147483646:2147483646]={1}', '{NULL}'"});
  server.check(
    {"int4[]", "array_fill(g, ARRAY[g % 3 + 1, g % 4 + 1, 2], ARRAY[g % 5 - 2, 1, 1])", ""});
  server.check({"text[]", list("chr(ascii(substr(md5(random()::text), 1, 1)) * g % 122 + 1)"),
                R"('{NULL,"NULL","null","nUll","NULLABLE","a\"b","","{}","a,b","c\\d"," "}',
                   '{{NULL},{NULL}}', E'{"\t","\n","\\\\"}', '{é,漢,"😀 "}', '{;}')"});
  server.check({"box[]", list("box(point(@float, @float), point(1, 2))"), "'{}'"});
  server.check({"bool[]", list("random() > 0.5"), ""});
  server.check({"bytea[]", list("decode(md5(random()::text), 'hex')"), ""});
  server.check({R"("char"[])", list(R"(chr(g % 127 + 1)::"char")"), "'{\"\"}'"});
  server.check({"float8[]", list("@float"), "'{NaN,-0,Infinity}'"});
  server.check({"inet[]", list("'10.0.0.0'::inet + g"), ""});
  server.check({"interval[]", list("random() * interval '1 day'"), "'{1 day,-1 mon}'"});
  server.check({"json[]", list("json_build_object('k', g)"), ""});
  server.check({"jsonb[]", list("jsonb_build_object('k', chr(g + 31))"), ""});
  server.check({"money[]", list("((random() - 0.5) * 1e6)::numeric::money"), ""});
  server.check({"name[]", list("('n' || g)::name"), "'{\"\",\"a b\"}'"});
  server.check({"numeric[]", list("(random() * 1000)::numeric"), "'{NaN,0.00}'"});
  server.check({"oidvector[]", list("'1 2 3'::oidvector"), ""});
  server.check({"point[]", list("point(@float, @float)"), ""});
  server.check({"timestamptz[]", list("timestamptz '2026-01-01' + random() * interval '9 years'"),
                "'{infinity}'"});
  server.check({"tsquery[]", "", R"('{"''a'' & ''b''"}')"});
  server.check({"tsvector[]", list("to_tsvector('simple', md5(g::text))"), ""});
  server.check({"uuid[]", list("gen_random_uuid()"), ""});
  server.check({"varbit[]", list("(g % 1000)::bit(20)::varbit"), "'{\"\"}'"});
  server.check({"xid8[]", list("g::text::xid8"), ""});
  const auto* const vectors = "'1 2'::int2vector::int2[]";
  server.check({"int2[]", vectors, ""});
  server.check({"int2[]", "''::int2vector::int2[]", ""});
}

TEST_CASE("arrays of domains, enums and other arrays read as the server prints them",
          "[model][postgres]") {
  value_server server;
  server.exec("CREATE TYPE public.mood AS ENUM ('so so', 'NULL', 'fine', 'a\"b');"
              "CREATE DOMAIN public.numbers AS int4[]");
  const auto mood = type_shape{.reads_as = text};
  server.check({"public.mood", "", "'so so', 'NULL', 'a\"b'"}, &mood);
  const auto moods = container(type_kind::array, scalar(text));
  server.check({"public.mood[]", "", R"('{"so so","NULL",NULL,fine,"a\"b"}')"}, &moods);
  constexpr std::uint32_t int4_array = 1007;
  const auto numbers = container(type_kind::array, built_in_type(int4_array));
  server.check({"public.numbers[]", "", R"('{"{1,2}","{}","[0:1]={7,NULL}",NULL}')"}, &numbers);
}

TEST_CASE("composites read as the server prints them", "[model][postgres]") {
  value_server server;
  server.exec("CREATE TYPE public.mixed AS (i int, gone text, t text, a text[], r numrange,"
              "  b bool, j jsonb, d timestamptz, f float8);"
              "ALTER TYPE public.mixed DROP ATTRIBUTE gone;"
              "CREATE TYPE public.nothing AS ();"
              "CREATE TYPE public.one AS (t text)");
  const type_shape row{.kind = type_kind::composite};
  const std::string mixed =
    "ROW(g, chr(g % 120 + 1), ARRAY[chr(g % 120 + 1), NULL],"
    "  numrange(random()::numeric, NULL), random() > 0.5, to_jsonb(g::text),"
    "  timestamptz '2026-01-01' + g * interval '1 hour', @float)";
  server.check({"public.mixed", mixed,
                R"sql('(,,,,,,,)', '(1,"","{}",empty,t,{},infinity,NaN)',
                   $$(1,"a""b\\c, (d)","{""x y"",NULL}","[1,2)",f,"""s""",,-0)$$)sql"},
               &row);
  server.check(
    {"public.one", "", R"sql('()', '("")', '(NULL)', '(" ")', '("(")', '(")")', '(",")')sql"},
    &row);
  server.check({"public.nothing", "ROW()", ""}, &row);
  const auto rows = container(type_kind::array, std::make_shared<type_shape>(row));
  server.check({"public.mixed[]", "ARRAY[" + mixed + ", NULL]::public.mixed[]", "'{}'"}, &rows);
}
