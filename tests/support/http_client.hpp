// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace replicant::test {

/// What a server of HTTP has answered; status 0: nobody listens, or nothing came.
struct http_answer {
  int status = 0;
  std::string head; ///< All lines before the body.
  std::string body;
};

/// A connection to a port of 127.0.0.1 that says and hears what a test wants.
class http_client {
public:
  explicit http_client(int port);
  http_client(const http_client&) = delete;
  http_client& operator=(const http_client&) = delete;
  ~http_client();

  [[nodiscard]] bool connected() const { return socket_ >= 0; }

  /// @returns whether the other end has taken it.
  bool say(const std::string& text) const;

  /// Everything until the other end closes, at most for 30 s.
  [[nodiscard]] std::string hear() const;

private:
  int socket_ = -1;
};

/// Asks and waits for the answer.
[[nodiscard]] http_answer http_request(int port, const std::string& method,
                                       const std::string& path);

[[nodiscard]] inline http_answer http_get(int port, const std::string& path) {
  return http_request(port, "GET", path);
}

} // namespace replicant::test
