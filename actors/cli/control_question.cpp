// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"

#include "replicant/actors/cli/unix_socket.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <thread>

namespace replicant::cli {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t longest_answer = std::size_t{4} << 20U;

bool becomes_readable(const descriptor& socket, clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now()).count();
  pollfd waiting{socket.number(), POLLIN, 0};
  return left > 0 && ::poll(&waiting, 1, static_cast<int>(left)) > 0;
}

std::string reason_and_cure(int error_number) {
  switch (error_number) {
    case EACCES:
    case EPERM: return "it belongs to another user; ask as that user, or as root";
    case ETIMEDOUT:
    case EAGAIN:
      return "what listens there is too busy, or hangs; ask again, and see its log if that is no "
             "help";
    default:
      return std::system_category().message(error_number) +
             "; see what is there, or name another path in runtime.control_socket";
  }
}

} // namespace

tl::expected<std::string, int> ask_status(const std::string& path,
                                          std::chrono::milliseconds patience) {
  const auto deadline = clock::now() + patience;
  auto socket = connect_unix(path);
  // Others stand in line before us.
  for (; !socket && socket.error() == EAGAIN && clock::now() < deadline;
       socket = connect_unix(path))
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  if (!socket)
    return tl::unexpected<int>{socket.error()};
  constexpr std::string_view request = "status\n";
  if (::send(socket->number(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
    return tl::unexpected<int>{errno};
  std::string answer;
  std::array<char, 65536> bytes{};
  while (answer.size() <= longest_answer && becomes_readable(*socket, deadline)) {
    const auto got = ::recv(socket->number(), bytes.data(), bytes.size(), 0);
    if (got < 0)
      return tl::unexpected<int>{errno};
    if (got == 0)
      return answer;
    answer.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return tl::unexpected<int>{ETIMEDOUT};
}

bool nobody_listens(int error_number) {
  return error_number == ENOENT || error_number == ECONNREFUSED;
}

std::string explain_no_answer(const std::string& path, int error_number) {
  return "no answer at " + path + ": " + reason_and_cure(error_number);
}

} // namespace replicant::cli
