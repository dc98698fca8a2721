// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_socket.hpp"

#include "replicant/actors/cli/control_client.hpp"
#include "replicant/actors/cli/unix_socket.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

namespace replicant::cli {

namespace {

using namespace std::chrono_literals;
using clock = control_client::clock;

constexpr std::size_t most_clients = 16;
constexpr auto patience_with_client = 2s;

/// Keeps two programs that start together from both finding a dead socket, each removing what the
/// other has just made. Whoever cannot have the lock goes on without: it only narrows a gap.
descriptor lock_folder_of(const std::filesystem::path& path) {
  descriptor folder{::open(path.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  const auto deadline = clock::now() + 1s;
  while (folder && ::flock(folder.number(), LOCK_EX | LOCK_NB) != 0 && clock::now() < deadline)
    std::this_thread::sleep_for(10ms);
  return folder;
}

tl::unexpected<socket_refusal> refuse(socket_refusal::kind what, int error_number = 0) {
  return tl::unexpected<socket_refusal>{{.what = what, .error_number = error_number}};
}

/// Removes a socket on which nobody answers.
tl::expected<void, socket_refusal> clear(const std::string& path) {
  using kind = socket_refusal::kind;

  struct stat found {};

  if (::lstat(path.c_str(), &found) != 0)
    return errno == ENOENT ? tl::expected<void, socket_refusal>{} : refuse(kind::failed, errno);
  if (!S_ISSOCK(found.st_mode))
    return refuse(kind::not_a_socket);
  const auto other = connect_unix(path);
  if (other || other.error() == EAGAIN)
    return refuse(kind::in_use);
  if (other.error() != ECONNREFUSED || ::unlink(path.c_str()) != 0)
    return refuse(kind::failed, other.error() == ECONNREFUSED ? errno : other.error());
  return {};
}

} // namespace

/// The socket, its clients and the thread that serves them.
class control_socket::server {
public:
  server(std::string path, descriptor listening, descriptor leave, answer status)
    : path_{std::move(path)},
      listening_{std::move(listening)},
      status_{std::move(status)},
      leave_{std::move(leave)} {
    struct stat own {};

    ::lstat(path_.c_str(), &own);
    device_ = own.st_dev;
    inode_ = own.st_ino;
    thread_ = std::jthread{[this] { run(); }};
  }

  ~server() {
    ::eventfd_write(leave_.number(), 1);
    thread_.join();

    struct stat found {};

    if (::lstat(path_.c_str(), &found) == 0 && found.st_dev == device_ && found.st_ino == inode_)
      ::unlink(path_.c_str());
  }

private:
  void run() {
    for (;;) {
      std::vector<pollfd> waiting{{leave_.number(), POLLIN, 0}, {listening_.number(), POLLIN, 0}};
      // A negative descriptor is skipped: with all places taken, newcomers wait in the backlog.
      if (clients_.size() >= most_clients || clock::now() < accept_again_)
        waiting[1].fd = -1;
      for (const auto& client : clients_)
        waiting.push_back({client.number(), client.wanted(), 0});
      if (::poll(waiting.data(), waiting.size(), time_to_wait()) < 0)
        continue;
      if (waiting[0].revents != 0)
        return;
      // Before serving: who asked while an answer was made for another has not been late.
      const auto now = clock::now();
      for (std::size_t i = 0; i < clients_.size(); ++i)
        if (waiting[i + 2].revents != 0)
          clients_[i].serve(status_);
      std::erase_if(clients_,
                    [now](const auto& one) { return one.done() || one.deadline() <= now; });
      if (waiting[1].revents != 0)
        accept();
    }
  }

  /// Milliseconds until something is due even if nothing happens.
  [[nodiscard]] int time_to_wait() const {
    auto next = clock::time_point::max();
    for (const auto& client : clients_)
      next = std::min(next, client.deadline());
    if (const auto now = clock::now(); now < accept_again_)
      next = std::min(next, accept_again_);
    if (next == clock::time_point::max())
      return -1;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - clock::now());
    return static_cast<int>(std::max(wait, 0ms).count());
  }

  void accept() {
    descriptor connected{
      ::accept4(listening_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
    // Out of descriptors the socket stays readable; without a pause this would spin.
    if (!connected)
      accept_again_ = clock::now() + 100ms;
    else if (is_own_user(connected))
      clients_.emplace_back(std::move(connected), patience_with_client);
  }

  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  descriptor listening_;
  answer status_;
  descriptor leave_;
  std::vector<control_client> clients_;
  clock::time_point accept_again_{};
  std::jthread thread_;
};

control_socket::control_socket(std::unique_ptr<server> started) : server_{std::move(started)} {}

control_socket::~control_socket() = default;

tl::expected<std::unique_ptr<control_socket>, socket_refusal>
control_socket::open(const std::string& path, answer status) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  std::error_code ignored; // Without the folder, bind tells why.
  std::filesystem::create_directories(folder, ignored);
  const auto lock = lock_folder_of(folder / "socket");
  if (const auto cleared = clear(path); !cleared)
    return tl::unexpected<socket_refusal>{cleared.error()};
  auto listening = listen_unix(path);
  if (!listening)
    return refuse(socket_refusal::kind::failed, listening.error());
  descriptor leave{::eventfd(0, EFD_CLOEXEC)};
  if (!leave) {
    const auto error = errno;
    ::unlink(path.c_str());
    return refuse(socket_refusal::kind::failed, error);
  }
  return std::unique_ptr<control_socket>{new control_socket{
    std::make_unique<server>(path, std::move(*listening), std::move(leave), std::move(status))}};
}

} // namespace replicant::cli
