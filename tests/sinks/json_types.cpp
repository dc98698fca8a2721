// SPDX-License-Identifier: MIT
#include "replicant/tests/sinks/json_types.hpp"

namespace replicant::test {

namespace {

/// An array of up to four values, some of them NULL.
std::string array(const std::string& element, const std::string& type) {
  return "ARRAY(SELECT CASE WHEN random() < 0.2 THEN NULL ELSE (" + element + ")::" + type +
         " END FROM generate_series(1, n % 5))";
}

const std::string junk = "public.junk(n)";
const std::string an_int = "(random() * 4294967295 - 2147483648)::int8::int4";
const std::string a_double = "(random() - 0.5) * 10 ^ (random() * 600 - 300)";
const std::string a_numeric = "(random() - 0.5)::numeric * 10::numeric ^ (n % 40)";
const std::string a_moment =
  "timestamptz '2000-01-01' + (random() * 200000 - 2000) * interval '1 day 1 hour'";
const std::string a_span = "make_interval((random() * 20 - 10)::int, (random() * 30 - 15)::int, 0, "
                           "(random() * 90 - 45)::int, 0, 0, (random() - 0.5) * 1e6)";
const std::string a_point = "point(random() * 1e6 - 5e5, (random() - 0.5) * 10 ^ (n % 20))";
const std::string a_document =
  "CASE n % 4 WHEN 0 THEN to_json(public.junk(n)) WHEN 1 THEN json_build_object('k' || "
  "public.junk(n), random(), 'l', ARRAY[public.junk(n), NULL]) WHEN 2 THEN (random() * "
  "1e9)::text::json ELSE json_build_array(n, NULL, true, E'\\n[ 1,\\r\\n\\t2 ]'::json) END";
const std::string an_address =
  "CASE n % 2 WHEN 0 THEN (n % 256 || '.' || (random() * 255)::int || '.0.' || n / 256 % 256 || "
  "'/' || n % 33)::inet ELSE (regexp_replace(left(md5(n::text), 24) || '00000000', "
  "'(.{4})(?!$)', '\\1:', 'g') || '/' || n % 129)::inet END";
const std::string int_range = "int4range(n % 100, n % 100 + (random() * 10)::int, '[]')";

std::vector<typed_values> numbers() {
  return {
    {"bool", "bool", "bool", "random() < 0.5", {"t", "f"}},
    {"int2", "int2", "number", "(random() * 65535 - 32768)::int2", {"-32768", "32767", "0"}},
    {"int4", "int4", "number", an_int, {"-2147483648", "2147483647"}},
    {"int8",
     "int8",
     "number",
     "((random() - 0.5) * 1.8e19)::int8",
     {"-9223372036854775808", "9223372036854775807"}},
    {"float4",
     "float4",
     "number",
     "((random() - 0.5) * 10 ^ (random() * 60 - 25))::float4",
     {"NaN", "Infinity", "-Infinity", "-0", "0.1", "3.4028235e38", "1e-45", "16777216"}},
    {"float8",
     "float8",
     "number",
     a_double,
     {"NaN", "Infinity", "-Infinity", "-0", "3.141592653589793", "1.7976931348623157e308", "5e-324",
      "1e15", "1e16", "123456789012345678"}},
    {"numeric",
     "numeric",
     "numeric",
     a_numeric,
     {"NaN", "Infinity", "-Infinity", "-0.00", "1234567890987654321.1234567890987654321", "1e130",
      "1e-130", "10000", "0.0001000"}},
    {"numeric_12_2", "numeric(12,2)", "numeric", "(random() * 1e6)::numeric(12,2)", {"NaN", "0"}},
    {"numeric_3_m2",
     "numeric(3,-2)",
     "numeric",
     "(random() * 99000)::numeric(3,-2)",
     {"12345"},
     true,
     15},
    {"money",
     "money",
     "text",
     "((random() - 0.5) * 1e9)::numeric::money",
     {"-92233720368547758.08"}},
    {"oid", "oid", "text", "n::oid", {"4294967295", "0"}},
    {"xid8", "xid8", "text", "n::text::xid8", {"18446744073709551615"}},
    {"pg_lsn", "pg_lsn", "text", "'0/0'::pg_lsn + n * 1e9::numeric", {"FFFFFFFF/FFFFFFFF"}},
    {"tid", "tid", "text", "('(' || n || ',' || n % 100 || ')')::tid", {"(4294967295,65535)"}}};
}

std::vector<typed_values> texts() {
  const std::vector<std::string> words{"",     "NULL", "null", "\\N",       "tab\there",
                                       "a\nb", "\"",   "\\",   "{\"a\":1}", "\u2028",
                                       "'",    "true", "1",    "\U0010ffff"};
  return {
    {"text", "text", "text", junk, words},
    {"varchar", "varchar(20)", "text", "left(" + junk + ", 20)", words},
    {"bpchar", "char(5)", "text", "left(" + junk + ", 5)", {"ab", "", "NULL", "é"}},
    {"one_char", "\"char\"", "text", "chr(1 + n % 126)::\"char\"", {"", "\\"}},
    {"name", "name", "text", "left(" + junk + ", 20)::name", {"", "Q\"x"}},
    {"bytea",
     "bytea",
     "text",
     "decode(md5(random()::text), 'hex')",
     {"", "\\x5c783431", "\\x00ff"}},
    {"uuid", "uuid", "text", "gen_random_uuid()", {}},
    {"xml",
     "xml",
     "text",
     "xmlelement(name a, translate(" + junk + ", chr(1), ''))",
     {"<a>&amp;</a>", "plain", "<?xml version=\"1.0\" standalone=\"yes\"?><a b=\"1\"/>"}},
    {"json",
     "json",
     "json",
     a_document,
     {"{\"a\":\"\\u0000\"}", "{\"a\":\"\\ud800\"}", "\"\\ude00\\ud83d\"", "\"\\ud83d\\ude00\"",
      "{\"a\":1e400,\"a\":2}", "{\n\"a\" :\r\n [ 1,\n\t2 ]\n}", "null", "\"null\"", "\"\"", "true",
      " 1 ", "123456789012345678901234567890.10", "\"\xc2\x80\xe2\x80\xa8\"",
      std::string(100, '[') + std::string(100, ']'),
      std::string(101, '[') + std::string(101, ']')}},
    {"jsonb",
     "jsonb",
     "json",
     "(" + a_document + ")::jsonb",
     {"null", "\"a\\nb\"", "{\"b\":1,\"a\":[{}]}", "1e400", "-0", "1.10",
      std::string(101, '[') + std::string(101, ']')}},
    {"jsonpath", "jsonpath", "text", "('$.\"a' || n || '\"[*] ? (@ > 1)')::jsonpath", {"strict $"}},
    {"tsvector",
     "tsvector",
     "text",
     "to_tsvector('simple', " + junk + ")",
     {"'it''s' 'a b':3A", "'\\\\'", ""}},
    {"tsquery",
     "tsquery",
     "text",
     "plainto_tsquery('simple', 'a' || " + junk + ")",
     {"'it''s' & !b | c:*A", "a <-> b", ""}}};
}

std::vector<typed_values> moments() {
  return {
    {"date",
     "date",
     "text",
     "date '2000-01-01' + (random() * 4000000 - 2000000)::int",
     {"infinity", "-infinity", "0044-03-15 BC", "5874897-12-31", "4714-11-24 BC", "10000-01-01"}},
    {"time", "time", "text", "time '00:00' + random() * interval '24 hours'", {"24:00", "0:0:0.1"}},
    {"timetz",
     "timetz",
     "text",
     "(n % 24 || ':' || n % 60 || ':' || (random() * 59)::numeric(8,6) || CASE n % 2 WHEN 0 THEN "
     "'+' ELSE '-' END || n % 15 || ':' || lpad((n * 7 % 60)::text, 2, '0'))::timetz",
     {"12:00:00+05:30", "24:00:00-15:59:59"}},
    {"timestamp",
     "timestamp",
     "text",
     "(" + a_moment + ")::timestamp",
     {"infinity", "-infinity", "0044-03-15 BC", "294276-12-31 23:59:59.999999",
      "4714-11-24 00:00:00 BC"}},
    {"timestamptz",
     "timestamptz",
     "text",
     a_moment,
     {"infinity", "-infinity", "0044-03-15 BC", "294276-12-31 23:59:59.999999+00",
      "4714-11-24 00:00:00+00 BC", "1883-11-18 12:03:57 America/New_York"}},
    {"interval",
     "interval",
     "text",
     a_span,
     {"1 mon -2 days +03:04:05.6", "0", "-1 year", "178000000 years", "-00:00:00.000001"}},
    {"endless", "interval", "text", "NULL", {"infinity", "-infinity"}, true, 17}};
}

std::vector<typed_values> shapes() {
  return {
    {"point", "point", "text", a_point, {"(NaN,Infinity)", "(-0,1e-300)"}},
    {"lseg", "lseg", "text", "lseg(" + a_point + ", " + a_point + ")", {}},
    {"line", "line", "text", "line(" + a_point + ", point(n + 1e7, n))", {"{1,-1,0}"}},
    {"path",
     "path",
     "text",
     "path(polygon(box(" + a_point + ", point(n, n))))",
     {"[(1,2),(3,4)]", "((0,0))"}},
    {"box", "box", "text", "box(" + a_point + ", " + a_point + ")", {"(1,2),(3,4)"}},
    {"polygon", "polygon", "text", "polygon(box(" + a_point + ", point(n, n)))", {"((1,1))"}},
    {"circle", "circle", "text", "circle(" + a_point + ", random() * 100)", {"<(0,0),0>"}},
    {"inet", "inet", "text", an_address, {"::1", "::ffff:1.2.3.4", "1.2.3.4/0", "::/0"}},
    {"cidr", "cidr", "text", "network(" + an_address + ")", {"10", "::ffff:0:0/96"}},
    {"macaddr", "macaddr", "text", "left(md5(n::text), 12)::macaddr", {}},
    {"macaddr8", "macaddr8", "text", "left(md5(n::text), 16)::macaddr8", {}},
    {"bit", "bit(7)", "text", "(n % 128)::bit(7)", {"1010101"}},
    {"varbit", "varbit", "text", "left((n * 7919)::bit(32)::text, n % 33)::varbit", {"", "1"}}};
}

std::vector<typed_values> ranges() {
  return {
    {"int4range", "int4range", "text", int_range, {"empty", "(,)", "[1,)"}},
    {"int8range", "int8range", "text", "int8range(n, n + 9e15::int8)", {"(,5)"}},
    {"numrange", "numrange", "text", "numrange(" + a_numeric + ", NULL)", {"[1.10,NaN]"}},
    {"daterange", "daterange", "text", "daterange(date '2000-01-01' + n, NULL)", {"[,infinity]"}},
    {"tsrange", "tsrange", "text", "tsrange((" + a_moment + ")::timestamp, NULL, '()')", {"empty"}},
    {"tstzrange",
     "tstzrange",
     "text",
     "tstzrange(NULL, " + a_moment + ", '(]')",
     {"[2026-01-01,)"}},
    {"int4multirange",
     "int4multirange",
     "text",
     "int4multirange(" + int_range + ", " + int_range + ")",
     {"{}", "{[1,3),[7,9)}"}},
    {"tsmultirange",
     "tsmultirange",
     "text",
     "tsmultirange(tsrange((" + a_moment + ")::timestamp, NULL))",
     {"{[2000-01-01,2000-01-02)}"}}};
}

std::vector<typed_values> arrays() {
  return {
    {"bool_array", "bool[]", "array bool", array("random() < 0.5", "bool"), {"{}", "{{t},{NULL}}"}},
    {"int_array",
     "int[]",
     "array number",
     array(an_int, "int"),
     {"[0:1]={7,8}", "{{1,2},{3,4}}", "{}", "{{{1},{2}},{{NULL},{4}}}", "[2:2][-1:0]={{1,2}}"}},
    {"int_matrix", "int[]", "array number", "ARRAY[[n, NULL, n + 1], [-n, 0, 1]]", {}},
    {"int8_array", "int8[]", "array number", array("n * 1e15::int8", "int8"), {}},
    {"float_array", "float8[]", "array number", array(a_double, "float8"), {"{NaN,-0,Infinity}"}},
    {"numeric_array", "numeric[]", "array numeric", array(a_numeric, "numeric"), {"{NaN,1.10}"}},
    {"text_array",
     "text[]",
     "array text",
     array(junk, "text"),
     {R"({NULL,"NULL","a\"b","","null",nulL,"\\","{}","a,b"," "})", "{{NULL},{NULL}}",
      "[5:5]={x}"}},
    {"bpchar_array", "char(3)[]", "array text", array("left(" + junk + ", 3)", "char(3)"), {}},
    {"bytea_array", "bytea[]", "array text", array("decode(md5(n::text), 'hex')", "bytea"), {}},
    {"json_array",
     "json[]",
     "array json",
     array(a_document, "json"),
     {R"({"{\"a\": 1}",NULL,"null","\"x\""})", R"({"1","\"\\ud800\""})", "[0:0]={1}"}},
    {"jsonb_array", "jsonb[]", "array json", array(a_document, "jsonb"), {"{{1},{\"\\\"a\\\"\"}}"}},
    {"moment_array", "timestamptz[]", "array text", array(a_moment, "timestamptz"), {"{infinity}"}},
    {"span_array", "interval[]", "array text", array(a_span, "interval"), {}},
    {"box_array",
     "box[]",
     "array text",
     array("box(" + a_point + ", " + a_point + ")", "box"),
     {"{(1,2),(3,4);NULL;(5,6),(7,8)}"}},
    {"range_array",
     "int4range[]",
     "array text",
     array(int_range, "int4range"),
     {"{\"[1,2)\",\"[3,5)\",empty}"}},
    {"uuid_array", "uuid[]", "array text", array("gen_random_uuid()", "uuid"), {}},
    {"int2vector", "int2vector", "text", "(n % 9 || ' ' || n % 7)::int2vector", {"", "1 2 3"}}};
}

std::vector<typed_values> made_types() {
  const std::string mood = "(enum_range(NULL::public.mood))[1 + n % 3]";
  const std::string pair = "ROW(n, " + junk + ", " + mood + ", ARRAY[n, NULL])::public.pair";
  return {
    {"share", "public.share", "number", "n % 101", {"0", "100"}},
    {"shares", "public.shares", "array number", array("n % 101", "public.share"), {"[0:0]={1}"}},
    {"flag", "public.flag", "bool", "random() < 0.5", {}},
    {"document", "public.document", "json", a_document, {"\"\\ud800\""}},
    {"domain_array", "public.share[]", "array number", array("n % 101", "public.share"), {}},
    {"shares_array",
     "public.shares[]",
     "array array number",
     "('{\"{' || n % 101 || ',NULL}\",NULL}')::public.shares[]",
     {R"({"{1,2}",NULL,"{}","[0:1]={7,8}"})"}},
    {"mood", "public.mood", "text", mood, {"a \"quoted, one\\", "NULL"}},
    {"mood_array", "public.mood[]", "array text", array(mood, "public.mood"), {R"({"NULL",NULL})"}},
    {"nothing", "public.nothing", "text", "NULL", {}},
    {"pair", "public.pair", "text", pair, {"(,,,)", R"((1,"a ""b""","NULL","{1,2}"))"}},
    {"pair_array", "public.pair[]", "array text", array(pair, "public.pair"), {}},
    {"span", "public.span", "text", "public.span(n, NULL)", {"empty"}},
    {"spans", "public.spans", "text", "public.spans(public.span(n, n + 1.5))", {"{}"}},
    {"citext", "public.citext", "text", junk, {"Foo", "NULL", ""}},
    {"citext_array", "public.citext[]", "array text", array(junk, "public.citext"), {}},
    {"hstore",
     "public.hstore",
     "text",
     "public.hstore('k' || " + junk + ", " + junk + ")",
     {R"(a=>NULL, b=>"\"")", ""},
     false},
    {"hstore_array",
     "public.hstore[]",
     "array text",
     array("public.hstore('k', " + junk + ")", "public.hstore"),
     {},
     false},
    {"regclass", "regclass", "text", "'pg_class'::regclass", {"data.text", "-"}, false},
    {"aclitem", "aclitem", "text", "makeaclitem(10, 10, 'SELECT', n % 2 = 0)", {}}};
}

} // namespace

std::string json_types_setup() {
  return R"(
    CREATE SCHEMA data;
    CREATE EXTENSION citext SCHEMA public;
    CREATE EXTENSION hstore SCHEMA public;
    CREATE DOMAIN public.percent AS int4 CHECK (VALUE BETWEEN 0 AND 100);
    CREATE DOMAIN public.share AS public.percent;
    CREATE DOMAIN public.shares AS public.share[];
    CREATE DOMAIN public.flag AS bool;
    CREATE DOMAIN public.document AS json;
    CREATE TYPE public.mood AS ENUM ('sad', 'a "quoted, one\', 'NULL');
    CREATE TYPE public.nothing AS ENUM ();
    CREATE TYPE public.pair AS (a int4, b text, c public.mood, d int4[]);
    CREATE TYPE public.span AS RANGE (subtype = float8, multirange_type_name = spans);
    CREATE FUNCTION public.junk(n int) RETURNS text LANGUAGE plpgsql AS $$
    DECLARE
      pieces text[] := ARRAY['a', 'B', '0', '"', '\', ',', ';', '{', '}', '(', ')', 'NULL', ' ',
        E'\n', E'\r', E'\t', E'\x01', '''', 'é', '世', '🙂', '/', '<', '&'];
      made text := '';
    BEGIN
      FOR i IN 1 .. n % 14 LOOP
        made := made || pieces[1 + floor(random() * 24)::int];
      END LOOP;
      RETURN made;
    END $$;)";
}

std::vector<typed_values> json_types() {
  std::vector<typed_values> all;
  for (auto family : {numbers(), texts(), moments(), shapes(), ranges(), arrays(), made_types()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

} // namespace replicant::test
