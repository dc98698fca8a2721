// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/tests/support/child_process.hpp"
#include "replicant/tests/support/pg_cluster.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace replicant::test {

/// A certificate authority and a server certificate of its making, for `localhost` only.
class authority {
public:
  authority() {
    run({"openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
         "/CN=test authority", "-keyout", folder_ / "ca.key", "-out", certificate()});
    run({"openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout",
         folder_ / "server.key", "-out", folder_ / "server.csr"});
    std::ofstream{folder_ / "names"} << "subjectAltName = DNS:localhost\n";
    run({"openssl", "x509", "-req", "-in", folder_ / "server.csr", "-CA", certificate(), "-CAkey",
         folder_ / "ca.key", "-CAcreateserial", "-days", "2", "-extfile", folder_ / "names", "-out",
         folder_ / "server.crt"});
  }

  [[nodiscard]] std::string certificate() const { return folder_ / "ca.crt"; }

  /// Makes the server offer TLS, and nothing else by TCP.
  void equip(pg_cluster& server) const {
    for (const auto* name : {"server.key", "server.crt"}) {
      const auto target = server.data_folder() + "/" + name;
      std::filesystem::copy_file(folder_ / name, target);
      std::filesystem::permissions(target, std::filesystem::perms{0600});
      give_to_server_user(target);
    }
    server.configure("ssl = on");
    server.authenticate("local all all trust\nhostssl all all 127.0.0.1/32 trust");
    server.reload();
  }

private:
  temp_dir folder_;
};

} // namespace replicant::test
