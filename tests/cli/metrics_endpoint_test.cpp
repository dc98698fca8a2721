// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/metrics_endpoint.hpp"
#include "replicant/actors/cli/readiness_lines.hpp"
#include "replicant/tests/support/captured_output.hpp"
#include "replicant/tests/support/http_client.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <atomic>
#include <list>
#include <stdexcept>
#include <thread>

using namespace replicant;
using namespace replicant::cli;
using namespace replicant::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

constexpr auto loopback = "127.0.0.1";

endpoint_answers usual() {
  return {.metrics = [] { return std::string{"replicant_paced{pipeline=\"shop\"} 0\n"}; },
          .alive = [] { return true; },
          .unready = [] { return std::vector<std::string>{}; }};
}

std::unique_ptr<metrics_endpoint> open_with(endpoint_answers answers) {
  auto opened = metrics_endpoint::open({.host = loopback, .port = 0}, std::move(answers));
  REQUIRE(opened);
  return std::move(*opened);
}

/// How long `closing` takes to end.
std::chrono::steady_clock::duration time_to_close(std::unique_ptr<metrics_endpoint>& closing) {
  const auto begin = std::chrono::steady_clock::now();
  closing.reset();
  return std::chrono::steady_clock::now() - begin;
}

pipeline_status in_phase(const std::string& name, pipeline_phase phase,
                         std::optional<reason> why = {}) {
  pipeline_status one;
  one.name = name;
  one.phase = phase;
  if (why)
    one.last_fault = fault{.why = *why};
  return one;
}

} // namespace

TEST_CASE("metrics are told as Prometheus' text", "[cli][unit]") {
  const auto endpoint = open_with(usual());
  const auto told = http_get(endpoint->port(), "/metrics");
  CHECK(told.status == 200);
  CHECK_THAT(told.head, Contains("Content-Type: text/plain; version=0.0.4"));
  CHECK(told.body == "replicant_paced{pipeline=\"shop\"} 0\n");
  CHECK(http_request(endpoint->port(), "HEAD", "/metrics").status == 200);
}

TEST_CASE("what lives is alive, and not when its system does not answer", "[cli][unit]") {
  std::atomic<bool> alive = true;
  auto answers = usual();
  answers.alive = [&alive] { return alive.load(); };
  const auto endpoint = open_with(answers);
  CHECK(http_get(endpoint->port(), "/livez").status == 200);
  alive = false;
  CHECK(http_get(endpoint->port(), "/livez").status == 503);
}

TEST_CASE("readiness fails with a line for each pipeline that does not stream", "[cli][unit]") {
  std::vector<pipeline_status> now{in_phase("shop", pipeline_phase::streaming),
                                   in_phase("bank", pipeline_phase::halted, reason::slot_lost)};
  auto answers = usual();
  answers.unready = [&now] { return readiness_lines({"shop", "bank", "mill"}, now); };
  const auto endpoint = open_with(answers);
  const auto unready = http_get(endpoint->port(), "/readyz");
  CHECK(unready.status == 503);
  CHECK(unready.body == "bank: halted slot_lost\nmill: not started, or it does not answer\n");
  now = {in_phase("shop", pipeline_phase::streaming),
         in_phase("bank", pipeline_phase::streaming, reason::connection_lost),
         in_phase("mill", pipeline_phase::streaming)};
  const auto ready = http_get(endpoint->port(), "/readyz");
  CHECK(ready.status == 200);
  CHECK(ready.body == "ok\n");
}

TEST_CASE("a pipeline that does not stream is told with its state and its failure", "[cli][unit]") {
  CHECK(readiness_lines({"a", "b", "c"},
                        {in_phase("a", pipeline_phase::waiting, reason::connection_lost),
                         in_phase("b", pipeline_phase::connecting, reason::connection_lost),
                         in_phase("c", pipeline_phase::stopping)}) ==
        std::vector<std::string>{"a: waiting connection_lost", "b: connecting", "c: stopping"});
}

TEST_CASE("anything else is not there", "[cli][unit]") {
  const auto endpoint = open_with(usual());
  for (const auto* path : {"/", "/metrics/", "/metric", "/livez/x", "/status", "//metrics"})
    CHECK(http_get(endpoint->port(), path).status == 404);
  for (const auto* method : {"POST", "PUT", "DELETE", "OPTIONS"})
    CHECK(http_request(endpoint->port(), method, "/metrics").status == 404);
}

TEST_CASE("what is no HTTP is answered by an error or by nothing", "[cli][unit]") {
  const auto endpoint = open_with(usual());
  for (const auto* text :
       {"\r\n\r\n", "nonsense\r\n\r\n", "GET\r\n\r\n", "GET /metrics FTP/9\r\n\r\n"}) {
    const http_client client{endpoint->port()};
    REQUIRE(client.say(text));
    CHECK_THAT(client.hear(), !Contains("replicant_"));
  }
  CHECK(http_get(endpoint->port(), "/livez").status == 200);
}

TEST_CASE("the text of an exception is not told", "[cli][unit]") {
  const std::string secret = "planted_in_an_exception";
  auto answers = usual();
  answers.metrics = [&secret]() -> std::string { throw std::runtime_error{secret}; };
  const captured_output output{STDOUT_FILENO, STDERR_FILENO};
  const auto endpoint = open_with(answers);
  const auto told = http_get(endpoint->port(), "/metrics");
  CHECK(told.status == 500);
  CHECK_THAT(told.head + told.body, !Contains(secret));
  CHECK_THAT(output.text(), !Contains(secret));
}

TEST_CASE("a port that is taken is told with the system's word for it", "[cli][unit]") {
  const auto first = open_with(usual());
  const auto second = metrics_endpoint::open({.host = loopback, .port = first->port()}, usual());
  REQUIRE_FALSE(second);
  CHECK(second.error() == "Address already in use");
  CHECK_FALSE(metrics_endpoint::open({.host = "256.0.0.1", .port = 0}, usual()));
  // It belongs to nobody, so not to this machine.
  CHECK_FALSE(metrics_endpoint::open({.host = "192.0.2.1", .port = 0}, usual()));
}

TEST_CASE("a client that says nothing or dribbles is let go after a while", "[cli][unit]") {
  const auto endpoint = open_with(usual());
  const http_client silent{endpoint->port()};
  const http_client dribbling{endpoint->port()};
  REQUIRE(dribbling.say("GET /metrics HTTP/1.1\r\nX: "));
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(wait_until([&] {
    std::this_thread::sleep_for(100ms);
    return !dribbling.say("x");
  }));
  CHECK(silent.hear().empty());
  CHECK(std::chrono::steady_clock::now() - begin < 10s);
}

TEST_CASE("clients that do not end keep nobody else out for long", "[cli][unit]") {
  const auto endpoint = open_with(usual());
  std::list<http_client> crowd;
  for (int i = 0; i < 20; ++i)
    CHECK(crowd.emplace_back(endpoint->port()).connected());
  CHECK(wait_until([&] { return http_get(endpoint->port(), "/livez").status == 200; }));
}

TEST_CASE("no client holds up the end", "[cli][unit]") {
  auto endpoint = open_with(usual());
  std::list<http_client> crowd;
  for (int i = 0; i < 40; ++i)
    REQUIRE(crowd.emplace_back(endpoint->port()).say("GET /metrics HTTP/1.1\r\nX: "));
  CHECK(time_to_close(endpoint) < 1s);
}

TEST_CASE("a client that does not read holds up nobody", "[cli][unit]") {
  auto answers = usual();
  std::atomic<bool> asked = false;
  answers.metrics = [&asked] {
    asked = true;
    return std::string(64U << 20U, 'x');
  };
  auto endpoint = open_with(answers);
  const http_client deaf{endpoint->port()};
  REQUIRE(deaf.say("GET /metrics HTTP/1.1\r\n\r\n"));
  REQUIRE(wait_until([&] { return asked.load(); }));
  CHECK(http_get(endpoint->port(), "/livez").status == 200);
  CHECK(time_to_close(endpoint) < 1s);
}
