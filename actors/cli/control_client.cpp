// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_client.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace replicant::cli {

namespace {

constexpr std::size_t longest_request = 64;

bool can_go_on(ssize_t transferred) {
  return transferred < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

} // namespace

short control_client::wanted() const {
  return reply_.empty() ? POLLIN : POLLOUT;
}

void control_client::serve(const answer& status) {
  try {
    if (reply_.empty())
      receive(status);
    if (!reply_.empty())
      send();
  } catch (...) {
    // Without memory for an answer the program has other cares than this client.
    done_ = true;
  }
}

void control_client::receive(const answer& status) {
  std::array<char, longest_request> bytes{};
  const auto room = longest_request - request_.size();
  const auto got = ::recv(number(), bytes.data(), room, MSG_DONTWAIT);
  if (got <= 0) {
    done_ = !can_go_on(got);
    return;
  }
  request_.append(bytes.data(), static_cast<std::size_t>(got));
  const auto end = request_.find('\n');
  if (end == std::string::npos) {
    done_ = request_.size() == longest_request;
    return;
  }
  const auto known = std::string_view{request_}.substr(0, end) == "status";
  reply_ = known ? status() : R"({"error":"unknown_request"})";
  reply_ += '\n';
  deadline_ = clock::now() + patience_;
}

void control_client::send() {
  const auto went =
    ::send(number(), reply_.data() + sent_, reply_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (went >= 0)
    sent_ += static_cast<std::size_t>(went);
  done_ = went < 0 ? !can_go_on(went) : sent_ == reply_.size();
}

} // namespace replicant::cli
