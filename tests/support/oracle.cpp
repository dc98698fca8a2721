// SPDX-License-Identifier: MIT
#include "replicant/tests/support/oracle.hpp"

#include "replicant/core/model/session_settings.hpp"
#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <catch2/catch.hpp>

#include <iostream>

namespace replicant::test {

oracle::oracle(const pg_cluster& server) : server_{server} {
  server.exec("SELECT pg_create_logical_replication_slot('oracle', 'test_decoding')");
}

void oracle::expect_equal(const std::vector<std::string>& files, const std::string& origin) const {
  auto session = server_.client();
  for (const auto& [name, value, shown, since] : pinned_settings)
    if (since == 0)
      session.exec("SET " + std::string{name} + " = '" + std::string{shown} + "'");
  session.exec("SET DateStyle = 'ISO, YMD'");
  // Where a transaction that was rolled back outgrows it, test_decoding of 18 ends the server: it
  // is told to abort a stream that never began.
  session.exec("SET logical_decoding_work_mem = '1GB'");
  // By the server itself, so that nobody else's reading of rows stands between.
  const auto dump = server_.data_folder() + "/oracle.copy";
  session.exec("COPY (SELECT lsn, xid, data FROM pg_logical_slot_get_changes('oracle', NULL, NULL, "
               "'include-xids', '1', 'include-timestamp', '1')) TO '" +
               dump + "'");
  std::vector<std::string> command{"python3", REPLICANT_SUPPORT "/compare_with_oracle.py"};
  std::uintmax_t bytes = 0;
  for (const auto& file : files) {
    command.push_back(file);
    bytes += std::filesystem::file_size(file);
  }
  command.insert(command.end(), {dump, "--origin", origin});
  if (messages)
    command.emplace_back("--messages");
  for (const auto& table : unpublished)
    command.insert(command.end(), {"--unpublished", table});
  // A checksum costs Python a second per ten megabytes.
  if (bytes > 20'000'000)
    command.insert(command.end(), {"--crc-every", "10"});
  const temp_dir folder;
  child_process comparison{command, folder / "told"};
  const auto status = comparison.wait(std::chrono::minutes{10});
  const auto told = read_file(folder / "told");
  INFO(told);
  REQUIRE(status == 0);
  std::cout << Catch::getResultCapture().getCurrentTestName() << ": " << told;
}

} // namespace replicant::test
