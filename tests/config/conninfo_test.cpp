// SPDX-License-Identifier: MIT
#include "replicant/config/conninfo.hpp"
#include "replicant/tests/config/planted_file.hpp"

using namespace replicant;
using namespace replicant::test;

namespace {

const environment variables = environment_of({
  {"PW", "it's \\ s3cr3t-planted host=evil"},
  {"EMPTY", ""},
  {"USER_1", "cdc"},
  {"QUERY", "x&host=evil#%@/:?"},
  {"NESTED", "${PW}"},
});

std::string expanded(const std::string& text) {
  const auto whole = expand_conninfo(text, variables);
  REQUIRE(whole);
  return *whole;
}

std::string complaint_about(const std::string& text) {
  const auto whole = expand_conninfo(text, variables);
  REQUIRE_FALSE(whole);
  CHECK(whole.error().text.find(secret) == std::string::npos);
  return whole.error().text;
}

} // namespace

TEST_CASE("a variable in a keyword string stays inside its value", "[config][unit]") {
  CHECK(expanded("host=a password=${PW} user=b") ==
        R"(host='a' password='it\'s \\ s3cr3t-planted host=evil' user='b')");
  CHECK(expanded("password='${PW}'") == R"(password='it\'s \\ s3cr3t-planted host=evil')");
  CHECK(expanded("password=${EMPTY} user=${USER_1}") == "password='' user='cdc'");
  CHECK(expanded("user=a-${USER_1}${USER_1}-b") == "user='a-cdccdc-b'");
}

TEST_CASE("a keyword string keeps its meaning", "[config][unit]") {
  CHECK(expanded(R"( host = a  port=5432 options='-c a=\'b\'' passfile=/a\ b )") ==
        R"(host='a' port='5432' options='-c a=\'b\'' passfile='/a b')");
  CHECK(expanded("dbname=") == "dbname=''");
  CHECK(expanded(R"(password=a\\b)") == R"(password='a\\b')");
}

TEST_CASE("a variable in a URI stays inside its part", "[config][unit]") {
  CHECK(expanded("postgresql://${USER_1}:${QUERY}@db1/shop?application_name=${QUERY}") ==
        "postgresql://cdc:x%26host%3Devil%23%25%40%2F%3A%3F@db1/shop?application_name="
        "x%26host%3Devil%23%25%40%2F%3A%3F");
  CHECK(expanded("postgres://a:p?w@db1/shop") == "postgres://a:p?w@db1/shop");
}

TEST_CASE("what a variable holds is not expanded again", "[config][unit]") {
  CHECK(expanded("password=${NESTED}") == "password='${PW}'");
}

TEST_CASE("a doubled dollar stands for itself", "[config][unit]") {
  CHECK(expanded("password=$${PW}") == "password='${PW}'");
  CHECK(expanded("password=$a$") == "password='$a$'");
}

TEST_CASE("a variable cannot stand outside of a value", "[config][unit]") {
  for (const auto* text : {"${PW}", "host=a ${PW}", "host=a ${USER_1}=x", "postgresql://a/b?${PW}",
                           "postgresql://a/b?c=d&${USER_1}=x"}) {
    INFO(text);
    CHECK(complaint_about(text).starts_with("has a variable outside of a value"));
  }
}

TEST_CASE("a variable that is not set is named", "[config][unit]") {
  CHECK(complaint_about("host=${DB_HOST}")
          .starts_with("needs an environment variable that is not set"));
}

TEST_CASE("a name that cannot be a variable's is not repeated", "[config][unit]") {
  for (const auto* text : {"password=${s3cr3t-planted}", "password=${s3cr3t-planted",
                           "password=${}", "password=${1A}", "postgresql://${s3cr3t-planted@a/b"}) {
    INFO(text);
    CHECK(complaint_about(text).starts_with("has a \"${\" without the name of a variable"));
  }
}

TEST_CASE("what libpq could not take apart is refused", "[config][unit]") {
  for (const auto* text : {"shop", "host", "host = 'a", "=a", "host=a shop", "http://a/b"}) {
    INFO(text);
    CHECK(complaint_about(text).starts_with("is no connection string"));
  }
}

TEST_CASE("keywords are told as they stand in the string", "[config][unit]") {
  using names = std::vector<std::string>;
  CHECK(keywords_of(" host = a  hots='b c' ") == names{"host", "hots"});
  CHECK(keywords_of("postgresql://u@h/d?sslmode=require&foo") == names{"sslmode", "foo"});
  CHECK(keywords_of("postgresql://u@h/d").empty());
  CHECK(keywords_of("no string").empty());
}

TEST_CASE("servers are compared by host, port and service alone", "[config][unit]") {
  CHECK(server_of("host=a port=1 dbname=x") == server_of("port=1 user=u host='a'"));
  CHECK(server_of("host=a port=1") != server_of("host=a port=2"));
  CHECK(server_of("host=a") != server_of("hostaddr=a"));
  CHECK(server_of("postgresql://u:p@h:1/x") == server_of("postgres://h:1/y"));
  CHECK(server_of("postgresql:///x?host=/a") != server_of("postgresql:///x?host=/b"));
}
