// SPDX-License-Identifier: MIT
#pragma once

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace replicant::cli {

/// Why a control socket could not be opened.
struct socket_refusal {
  enum class kind : std::uint8_t {
    in_use,       ///< Another program answers on it.
    not_a_socket, ///< Something else has this path; it is left alone.
    failed,       ///< The system refused; `error_number` says why.
  };

  kind what = kind::failed;
  int error_number = 0;
};

/// Answers questions about the running program on a unix socket that only its own user and root
/// can use.
///
/// A client sends "status\n" and gets one JSON document and the end of the stream. What a client
/// may send, how long it may take and how many are served at once is bounded, so that none can
/// block or exhaust the program.
class control_socket {
public:
  /// Makes the JSON document. Called on the socket's thread, one call at a time.
  using answer = std::function<std::string()>;

  /// Listens at `path`, which is taken over when nobody answers there. Its folder is made.
  [[nodiscard]] static tl::expected<std::unique_ptr<control_socket>, socket_refusal>
  open(const std::string& path, answer status);

  /// Stops listening and removes the socket, unless it is another program's by now.
  ~control_socket();

  control_socket(const control_socket&) = delete;
  control_socket& operator=(const control_socket&) = delete;

private:
  class server;

  explicit control_socket(std::unique_ptr<server> started);

  std::unique_ptr<server> server_;
};

} // namespace replicant::cli
