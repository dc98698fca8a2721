// SPDX-License-Identifier: MIT
#include "replicant/tests/crash/scene.hpp"

#include "replicant/core/model/lsn.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace replicant::test {

namespace {

cluster_options with_shop_conf(std::vector<std::string> conf) {
  const auto base = shop_conf();
  conf.insert(conf.begin(), base.begin(), base.end());
  return {.conf = std::move(conf)};
}

program_options connected_to(const pg_cluster& server, program_options how) {
  if (how.conninfo.empty())
    how.conninfo = server.conninfo();
  return how;
}

/// The text between `key` and the next quote.
std::string field(const std::string& line, const std::string& key) {
  const auto start = line.find(key);
  if (start == std::string::npos)
    return {};
  const auto from = start + key.size();
  return line.substr(from, line.find('"', from) - from);
}

} // namespace

shop_server::shop_server(std::vector<std::string> conf)
  : pg_cluster{with_shop_conf(std::move(conf))} {
  make_shop(*this);
}

scene::scene(program_options how, std::vector<std::string> conf)
  : server{std::move(conf)}, right{server}, replicant{connected_to(server, std::move(how))} {}

void scene::run() {
  replicant.start();
  INFO(replicant.output());
  REQUIRE(wait_until([this] { return replicant.says("streaming from") || !replicant.running(); }));
  REQUIRE(replicant.running());
}

void scene::drain() const {
  const auto end = wal_end(server);
  const auto reached =
    wait_until([&] { return confirmed(server) >= end; }, std::chrono::minutes{2});
  INFO("the slot stands at " << slot(server, "confirmed_flush_lsn") << ", the WAL ended at "
                             << to_string(lsn{end}) << "\n"
                             << replicant.output());
  REQUIRE(reached);
}

void scene::finish(const std::string& origin) {
  drain();
  REQUIRE(replicant.stop() == ending{.exit_code = 0});
  right.expect_equal(replicant.files(), origin);
}

std::string slot(const pg_cluster& server, const std::string& column) {
  return server.client().value("SELECT " + column +
                               " FROM pg_replication_slots WHERE slot_name = 'shop'");
}

std::uint64_t confirmed(const pg_cluster& server) {
  return position_of(slot(server, "confirmed_flush_lsn"));
}

std::uint64_t wal_end(const pg_cluster& server) {
  return position_of(server.client().value("SELECT pg_current_wal_lsn()"));
}

std::uint64_t position_of(const std::string& text) {
  const auto parsed = parse_lsn(text);
  return parsed ? parsed->value() : 0;
}

std::uint64_t last_position(const std::string& file) {
  // A transaction of the load has less than this.
  constexpr std::streamoff tail = 4'000'000;
  std::ifstream input{file, std::ios::binary | std::ios::ate};
  const auto size = static_cast<std::streamoff>(input.tellg());
  input.seekg(std::max<std::streamoff>(0, size - tail));
  std::uint64_t last = 0;
  for (std::string line; std::getline(input, line) && !input.eof();)
    if (line.starts_with(R"({"kind":"commit")"))
      last = position_of(field(line, R"("commit_lsn":")"));
    else if (line.starts_with(R"({"kind":"message","transactional":false)"))
      last = position_of(field(line, R"("lsn":")")) - 1;
    else if (line.starts_with(R"({"kind":"progress")"))
      last = position_of(field(line, R"("lsn":")"));
    else if (line.starts_with(R"({"kind":"header")"))
      last = position_of(field(line, R"("start":")"));
  return last;
}

std::uint64_t peak_memory(pid_t process) {
  std::ifstream status{"/proc/" + std::to_string(process) + "/status"};
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::strtoull(line.c_str() + sizeof "VmHWM:", nullptr, 10);
  FAIL("no VmHWM");
  return 0;
}

} // namespace replicant::test
