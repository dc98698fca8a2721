// SPDX-License-Identifier: MIT
#include "replicant/tests/support/pooler.hpp"

#include "replicant/tests/support/test_files.hpp"
#include "replicant/tests/support/wait_until.hpp"

#include <filesystem>
#include <stdexcept>

namespace replicant::test {

namespace {

/// Debian puts it where only root's PATH looks.
std::string program() {
  for (const auto* const path : {"/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"})
    if (std::filesystem::exists(path))
      return path;
  throw std::runtime_error{"no pgbouncer found; tests/support/packages.sh test installs it"};
}

} // namespace

pooler::pooler(const pg_cluster& server, const std::string& settings) : port_{free_port()} {
  write_file(folder_ / "users", "\"postgres\" \"\"\n");
  write_file(folder_ / "pgbouncer.ini",
             "[databases]\n* = host=" + server.socket_folder() +
               " port=" + std::to_string(server.port()) +
               "\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " + std::to_string(port_) +
               "\nunix_socket_dir =\nauth_type = trust\nauth_file = " + (folder_ / "users") + "\n" +
               settings + "\n");
  give_to_server_user(folder_.path().string());
  // It refuses to be root.
  process_ = std::make_unique<child_process>(std::vector{program(), folder_ / "pgbouncer.ini"},
                                             folder_ / "log", run_as::server_user);
  if (!wait_until([&] { return sql_client::answers(conninfo()); }))
    throw std::runtime_error{"the pooler did not start: " + read_file(folder_ / "log")};
}

std::string pooler::conninfo(const std::string& rest) const {
  return "host=127.0.0.1 port=" + std::to_string(port_) + " " + rest;
}

} // namespace replicant::test
