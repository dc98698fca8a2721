// SPDX-License-Identifier: MIT
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace replicant::test {

/// A network that fails on demand: listens on 127.0.0.1 and forwards every connection to a port of
/// the same host.
///
/// It has a thread of its own. A change of behaviour holds for all connections, old and new, from
/// the moment the call returns.
class tcp_proxy {
public:
  explicit tcp_proxy(int target_port);
  tcp_proxy(const tcp_proxy&) = delete;
  tcp_proxy& operator=(const tcp_proxy&) = delete;
  ~tcp_proxy();

  [[nodiscard]] int port() const { return port_; }

  /// Passes everything on; ends `stall` and `half_open`.
  void forward() { become(mode::forward); }

  /// Takes nothing from either side any more, so that their buffers fill up; connections stay open.
  void stall() { become(mode::stall); }

  /// Takes everything from both sides and passes nothing on, as a network does that lost one end.
  void half_open() { become(mode::swallow); }

  /// Resets all connections; new ones are taken.
  void cut();

  /// Refuses new connections (accepts and resets them) or takes them again.
  void refuse(bool refusing);

  /// Holds everything back for this long in each direction.
  void delay(std::chrono::milliseconds how_long);

  /// Replaces `from` by `to`, of the same length, in what the server says from now on. Each is
  /// expected whole in one read.
  void rewrite(std::string from, std::string to);

  [[nodiscard]] std::size_t connections();

  /// Bytes that came from the server, over all connections.
  [[nodiscard]] std::uint64_t bytes_from_server() const { return from_server_; }

private:
  using clock = std::chrono::steady_clock;

  enum class mode {
    forward,
    stall,
    swallow,
  };

  /// One direction of a connection.
  struct lane {
    struct piece {
      clock::time_point due;
      std::string bytes;
    };

    int from = -1;
    int to = -1;
    bool from_server = false;
    bool ended = false;  ///< `from` has said all.
    bool closed = false; ///< And `to` has been told.
    std::list<piece> held;
  };

  struct link {
    int client = -1;
    int server = -1;
    lane up;
    lane down;
  };

  void become(mode now);
  void wake() const;
  void run(const std::stop_token& ending);
  /// Adds what is to be polled. @returns the time-out.
  [[nodiscard]] int watch(std::vector<pollfd>& entries) const;
  void accept_one();
  /// @returns false when the link is at its end and has been closed.
  [[nodiscard]] bool serve(link& one);
  [[nodiscard]] bool read_into(lane& one);
  [[nodiscard]] bool write_from(lane& one);
  void alter(std::string& bytes) const;
  static void close_link(const link& one, bool reset);

  int target_port_;
  int port_ = 0;
  int listener_ = -1;
  int event_ = -1;
  std::mutex mutex_;
  mode mode_ = mode::forward; ///< Guarded by mutex_, as all that follows.
  bool refusing_ = false;
  std::chrono::milliseconds delay_{0};
  std::string rewrite_from_;
  std::string rewrite_to_;
  std::list<link> links_;
  std::atomic<std::uint64_t> from_server_{0};
  std::jthread thread_;
};

} // namespace replicant::test
