// SPDX-License-Identifier: MIT
#include "replicant/tests/core/values/value_server.hpp"

#include <catch2/catch.hpp>

#include <memory>

using namespace replicant;
using namespace replicant::test;

TEST_CASE("numbers read as the server prints them", "[model][postgres]") {
  value_server server;
  server.check({"bool", "g % 2 = 0", "'t'"});
  server.check({"int2", "random() * 65535 - 32768", "'-32768', '32767', '0'"});
  server.check({"int4", "random() * 4294967295 - 2147483648", "'-2147483648', '2147483647'"});
  server.check({"int8", "(random() * 4294967295 - 2147483648)::int8 * 2147483648 + g",
                "'-9223372036854775808', '9223372036854775807', '0'"});
  for (const auto* type : {"oid", "xid", "cid", "xid8"})
    server.check({type, "(random() * 4294967295)::int8::text", "'0', '4294967295'"});
  server.check({"xid8", "", "'18446744073709551615'"});
  server.check(
    {"numeric", "round((random() - 0.5)::numeric * power(10::numeric, g % 60 - 20), g % 45 - 5)",
     "'NaN', 'Infinity', '-Infinity', '0', '0.000', '-0.0001', '9999', '10000', '-10000',"
     "'9999.9999', '10000.00001', '0.00001234', '1e1000', '1e-1000', '-1.5e131071',"
     "'1e-16383', '100000000', '120000.50', '0.1', '1234567890123456789012345.678'"});
  server.check({"money", "((random() - 0.5) * power(10::float8, random() * 16))::numeric",
                "'92233720368547758.07', '-92233720368547758.08', '0', '0.01', '-0.01', '999.99',"
                "'1000', '-1000', '999999', '1000000'"});
}

TEST_CASE("texts and bytes read as the server prints them", "[model][postgres]") {
  value_server server;
  const auto* const picked = R"('', ' ', 'NULL', 'null', 'a"b', 'c\d', E'tab\tline\n', 'é漢😀',
                                'it''s', '{}', '(,)')";
  for (const auto* type : {"text", "varchar", "bpchar", "char(12)", "name", "refcursor"})
    server.check({type, "repeat(chr(32 + g % 90), g % 10)", picked});
  server.check({R"("char")", "chr(g % 127 + 1)", "''"});
  if (server.major() >= 16)
    server.check({R"("char")", "", R"('\200', '\377')"});
  server.check({"json", "json_build_object('a', random())",
                R"('{"a":1e400, "a":2}', '{"a":"\ud800"}', ' [ ] ', E'{\n}')"});
  server.check({"jsonb", "jsonb_build_array(g, random(), chr(g + 31))",
                R"('{"b":1,"a":[null,true,{}]}', '"x"', 'null', '1.50')"});
  server.check({"jsonpath", "'$.a[' || g || ']'",
                R"('$.a[*] ? (@.b > 1 && @.c like_regex "^x")', 'strict $', '$."a b"')"});
  server.check({"xml", "'<a b=\"' || g || '\">x</a>'",
                R"('<?xml version="1.0" encoding="UTF-8"?><a/>', 'text', E'\n<a/>',
                   '<?xml version="1.0" standalone="yes"?><a/>')"});
  server.check({"bytea", "substr(decode(md5(random()::text), 'hex'), 1, g % 17)",
                R"('', '\x41', '\\x41', '\xdeadbeef5c00')"});
  server.check({"uuid", "gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'"});
  const auto* const bits = "coalesce((SELECT string_agg((random() > 0.5)::int::text, '')"
                           "  FROM generate_series(1, g % 40)), '')";
  server.check({"varbit", bits, "'', '1', '10000000', '100000001'"});
  server.check({"bit(70)", std::string{bits} + "::varbit", "repeat('1', 70)"});
}

TEST_CASE("bytes are read in the server's other dialect too", "[model][postgres]") {
  value_server server;
  server.exec("SET bytea_output = escape");
  server.check_getters({"bytea", "substr(decode(md5(random()::text), 'hex'), 1, g % 17)",
                        R"('', '\x41', '\\x41', '\x5c785c5c00', '\xdeadbeef5c00')"});
  server.check_getters({"bytea[]", "", R"('{"\\xff5c","a\\\\b",NULL}')"});
}

TEST_CASE("moments are read with the offset of any zone", "[model][postgres]") {
  value_server server;
  const value_set moments{"timestamptz",
                          "timestamptz '2026-01-01' + (random() - 0.5) * interval '6000 years'",
                          "'infinity', '0044-03-15 BC', '1890-07-01', '2026-07-01', '10000-01-01'"};
  for (const auto* const zone : {"Asia/Kolkata", "America/New_York", "Europe/Dublin"}) {
    server.exec("SET TimeZone = '" + std::string{zone} + "'");
    server.check_getters({moments.type, moments.random, moments.picked});
  }
}

TEST_CASE("dates and times read as the server prints them", "[model][postgres]") {
  value_server server;
  const auto* const limits = "'infinity', '-infinity', '4714-11-24 BC', '0044-03-15 BC',"
                             "'0001-12-31 BC', '0001-01-01', '1999-12-31', '2000-02-29',"
                             "'9999-12-31', '10000-01-01'";
  server.check({"date", "date '2000-01-01' + (random() * 2147483493 - 2451545)::int8::int",
                limits + std::string{", '5874897-12-31'"}});
  server.check({"date", "date '2000-01-01' + ((random() - 0.5) * 2000000)::int", ""});
  const auto* const moment = "timestamp '2000-01-01' + make_interval("
                             "  days => (random() * 109203527 - 2451545)::int,"
                             "  secs => CASE g % 3 WHEN 0 THEN g ELSE random() * 86399 END)";
  const auto times = limits + std::string{", '294276-12-31 23:59:59.999999',"
                                          "'1999-12-31 23:59:59.999999', '2000-01-01 00:00:00.1',"
                                          "'0001-01-01 12:00:00.5 BC', '2026-07-15 13:39:10.05'"};
  server.check({"timestamp", moment, times});
  server.check({"timestamptz", moment, times});
  const std::string time = "(time '00:00' + random() * interval '1 day')";
  server.check({"time", time, "'24:00:00', '23:59:59.999999', '00:00', '00:00:00.1'"});
  server.check(
    {"timetz",
     time + "::text || CASE WHEN g % 2 = 0 THEN '+' ELSE '-' END"
            "  || make_time(g % 16, g % 3 * 13, g % 5 / 4)",
     "'24:00:00+15:59:59', '12:00+05:30', '00:00-15:59:59', '04:05:06.789-08', '1:00+0'"});
  server.check({"interval",
                "make_interval(months => ((random() - 0.5) * (g % 2) * 1000000)::int,"
                "  days => ((random() - 0.5) * (g / 2 % 2) * 1000000)::int,"
                "  secs => (random() - 0.5) * (g / 4 % 2) * power(10::float8, g % 12))",
                "'0', '1 mon -2 days +03:04:05.6', '-1 day', '1 day', '-1 mon 1 day -0.000001 sec',"
                "'-1 year 1 mon', '1 year -1 mon', '-178956970 years -8 mons',"
                "'178956970 years 7 mons', '2147483647 days', '-2147483648 days',"
                "'2147483647:59:59.999999', '-0.5 sec', '-1 mon +1 sec', '100:00:00'"});
  if (server.major() >= 15)
    server.check({"interval", "", "'2562047788:00:54.775807', '-2562047788:00:54.775807'"});
  if (server.major() >= 17)
    server.check({"interval", "", "'infinity', '-infinity'"});
}

TEST_CASE("addresses read as the server prints them", "[model][postgres]") {
  value_server server;
  const std::string v4 = "set_masklen('0.0.0.0'::inet + (random() * 4294967295)::int8, g % 33)";
  const std::string v6 = "set_masklen((SELECT string_agg(CASE WHEN random() < 0.6 THEN '0' WHEN "
                         "random() < 0.2 THEN 'ffff'"
                         "  ELSE to_hex((random() * 65535)::int) END, ':') FROM generate_series(g, "
                         "g + 7))::inet, g % 129)";
  const auto* const picked =
    "'::', '::1', '::2', '::ffff:1.2.3.4', '::1.2.3.4', '::0.1.0.0', '1::',"
    "'fe80::1', '1:0:0:2::3', '1:0:2:0:3:0:4:0', '::ffff:0:0', '::1/128',"
    "'::2:3:4', '::5:ffff:1:2', '10.0.0.1', '0.0.0.0/0', '::/0',"
    "'::ffff:10.0.0.0/104'";
  server.check({"inet", v4, picked});
  server.check({"inet", v6, "'::10.2.3.4/8', '1.2.3.4/31', 'abcd:ef01::/32'"});
  server.check({"cidr", "network(" + v4 + ")", picked});
  server.check({"cidr", "network(" + v6 + ")", ""});
  server.check({"macaddr", "left(md5(random()::text), 12)", "'00:00:00:00:00:00'"});
  server.check({"macaddr8", "left(md5(random()::text), 16)", "'ff:ff:ff:ff:ff:ff:ff:ff'"});
}

TEST_CASE("shapes read as the server prints them", "[model][postgres]") {
  value_server server;
  const std::string point = "point(@float, @float)";
  const std::string points =
    "(SELECT string_agg(point(@float, @float)::text, ',') FROM generate_series(g, g + g % 7))";
  server.check({"point", point, "'(NaN,Infinity)', '(-0,-Infinity)', '(1,2)'"});
  server.check({"lseg", "lseg(" + point + ", " + point + ")", "'[(0,0),(1,1)]'"});
  server.check({"box", "box(" + point + ", " + point + ")", "'(1,2),(3,4)'"});
  server.check(
    {"line", "'{' || abs(@float) + 1 || ',' || @float || ',' || @float || '}'", "'{1,0,-0}'"});
  server.check({"circle", "circle(" + point + ", abs(@float))", "'<(1,2),Infinity>'"});
  server.check({"path", "'[' || " + points + " || ']'", "'[(1,2)]', '((1,2),(3,4))'"});
  server.check({"path", "'(' || " + points + " || ')'", ""});
  server.check({"polygon", "'(' || " + points + " || ')'", "'((1,2))'"});
}

TEST_CASE("the server's own types read as it prints them", "[model][postgres]") {
  value_server server;
  server.check({"tid", "'(' || (random() * 4294967295)::int8 || ',' || g || ')'", "'(0,0)'"});
  server.check({"pg_lsn", "'0/0'::pg_lsn + trunc((random() * 1.8e19)::numeric)",
                "'0/0', 'FFFFFFFF/FFFFFFFF', '0/A', 'ABCDEF0/0'"});
  for (const auto* type : {"pg_snapshot", "txid_snapshot"})
    server.check({type, "g || ':' || g + 9 || ':' || g + 1 || ',' || g + 5",
                  "'10:20:10,14,15', '10:10:', '1:9223372036854775807:'"});
  const auto* const numbers =
    "(SELECT string_agg((random() * 32767)::int::text, ' ') FROM generate_series(g, g + g % 9))";
  server.check({"int2vector", numbers, "'', '-1 2'"});
  server.check({"oidvector", numbers, "'', '4294967295 0'"});
}

TEST_CASE("search types read as the server prints them", "[model][postgres]") {
  value_server server;
  server.check(
    {"tsvector",
     "(SELECT string_agg('w' || (random() * 30)::int || ':' || 1 + (random() * 16382)::int"
     "  || substr('ABCD', 1 + (random() * 3)::int, 1), ' ')"
     "  FROM generate_series(g, g + g % 5))",
     R"('', 'a:1A,2B,3C,4D', $$'it''s':1 'back\\slash' 'two words':3A$$, 'é漢')"});
  server.exec(R"(
    CREATE FUNCTION public.some_query(depth int) RETURNS tsquery LANGUAGE plpgsql AS $$
    DECLARE
      pick int := CASE WHEN depth = 0 THEN 0 ELSE (random() * 8)::int END;
    BEGIN
      RETURN CASE pick
        WHEN 1 THEN !! public.some_query(depth - 1)
        WHEN 2 THEN public.some_query(depth - 1) && public.some_query(depth - 1)
        WHEN 3 THEN public.some_query(depth - 1) && public.some_query(depth - 1)
        WHEN 4 THEN public.some_query(depth - 1) || public.some_query(depth - 1)
        WHEN 5 THEN public.some_query(depth - 1) || public.some_query(depth - 1)
        WHEN 6 THEN tsquery_phrase(public.some_query(depth - 1), public.some_query(depth - 1),
                                   (random() * 9)::int)
        WHEN 7 THEN public.some_query(depth - 1) <-> public.some_query(depth - 1)
        ELSE ('w' || (random() * 9)::int || ':' || repeat('*', (random() * 1)::int)
              || substr('ABCD', (random() * 4)::int, 2))::tsquery
      END;
    END $$)");
  server.check({"tsquery", "public.some_query(g % 7)",
                R"('', 'a & b | !c', '!(a | b)', '!!a', 'a <-> (b <-> c)', 'a <-> b <-> c',
                   'a <0> b', 'a <16384> b', $$'it''s' & 'back\\slash'$$, 'a:*ABCD', '(a|b)&(c|d)',
                   'a' || repeat(' & b', 2000), repeat('(a | ', 500) || 'b' || repeat(')', 500))"});
}
