// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/metrics_endpoint.hpp"

#include "replicant/actors/cli/tcp_socket.hpp"
#include "replicant/core/telemetry/prometheus_text.hpp"

#include <httplib.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

namespace replicant::cli {

namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr std::size_t workers = 8;
constexpr std::ptrdiff_t most_clients = 16;
constexpr auto patience_with_client = 2s;
constexpr auto plain_text = "text/plain; charset=utf-8";

/// A client's connection, as httplib reads and writes it: until its time is over or the program
/// leaves.
class client_stream final : public httplib::Stream {
public:
  client_stream(descriptor client, const descriptor& leave)
    : client_{std::move(client)}, leave_{leave}, deadline_{clock::now() + patience_with_client} {}

  [[nodiscard]] bool is_readable() const override { return begin_ < end_ || wait_for(POLLIN); }

  [[nodiscard]] bool is_writable() const override { return wait_for(POLLOUT); }

  /// httplib asks for the head byte by byte.
  ssize_t read(char* to, std::size_t size) override {
    if (begin_ == end_) {
      if (!wait_for(POLLIN))
        return -1;
      const auto got = ::recv(client_.number(), buffer_.data(), buffer_.size(), 0);
      if (got <= 0)
        return got;
      begin_ = 0;
      end_ = static_cast<std::size_t>(got);
    }
    const auto count = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, count, to);
    begin_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* from, std::size_t size) override {
    return wait_for(POLLOUT) ? ::send(client_.number(), from, size, MSG_NOSIGNAL) : -1;
  }

  // Whose request it is changes nothing.
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}

  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const override {}

  [[nodiscard]] socket_t socket() const override { return client_.number(); }

private:
  [[nodiscard]] bool wait_for(short events) const {
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - clock::now());
      if (left <= 0ms)
        return false;
      std::array<pollfd, 2> waiting{{{client_.number(), events, 0}, {leave_.number(), POLLIN, 0}}};
      const auto woken = ::poll(waiting.data(), waiting.size(), static_cast<int>(left.count()));
      if (woken < 0 && errno != EINTR)
        return false;
      if (woken > 0)
        return waiting[1].revents == 0;
    }
  }

  descriptor client_;
  const descriptor& leave_;
  clock::time_point deadline_;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0; ///< Of what was received and not read yet, in `buffer_`.
  std::size_t end_ = 0;
};

/// HTTP alone: httplib without its sockets, whose time-outs begin anew with every byte.
class router final : public httplib::Server {
public:
  explicit router(endpoint_answers answers) : answers_{std::move(answers)} {
    // Before a body is read that others may have.
    set_pre_routing_handler([](const auto& request, auto& response) {
      const auto asks = request.method == "GET" || request.method == "HEAD";
      if (!asks)
        response.status = 404;
      return asks ? HandlerResponse::Unhandled : HandlerResponse::Handled;
    });
    // httplib's own handler would tell the text of the exception.
    set_exception_handler(
      [](const auto&, auto& response, std::exception_ptr) { response.status = 500; });
    Get("/metrics", [this](const auto&, auto& response) {
      response.set_content(answers_.metrics(), std::string{prometheus_content_type});
    });
    Get("/livez", [this](const auto&, auto& response) {
      const auto alive = answers_.alive();
      response.status = alive ? 200 : 503;
      response.set_content(alive ? "ok\n" : "the actor system does not answer\n", plain_text);
    });
    Get("/readyz", [this](const auto&, auto& response) { tell_readiness(response); });
  }

  void serve(client_stream client) {
    auto closed = false;
    process_request(client, true, closed, nullptr);
    ::shutdown(client.socket(), SHUT_WR);
  }

private:
  void tell_readiness(httplib::Response& response) const {
    std::string body;
    for (const auto& line : answers_.unready())
      body.append(line).append("\n");
    response.status = body.empty() ? 200 : 503;
    response.set_content(body.empty() ? "ok\n" : body, plain_text);
  }

  endpoint_answers answers_;
};

} // namespace

class metrics_endpoint::server {
public:
  server(descriptor listening, descriptor leave, endpoint_answers answers)
    : listening_{std::move(listening)},
      leave_{std::move(leave)},
      port_{port_of(listening_)},
      router_{std::move(answers)},
      pool_{workers},
      thread_{[this] { run(); }} {}

  server(const server&) = delete;
  server& operator=(const server&) = delete;

  ~server() {
    ::eventfd_write(leave_.number(), 1);
    thread_.join();
    pool_.shutdown();
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

private:
  void run() {
    for (;;) {
      // With all places taken, newcomers wait in the backlog.
      places_.acquire();
      auto client = next_client();
      if (!client)
        return;
      pool_.enqueue([this, client = std::make_shared<descriptor>(std::move(client))] {
        router_.serve(client_stream{std::move(*client), leave_});
        places_.release();
      });
    }
  }

  /// @returns none when the program leaves.
  descriptor next_client() {
    for (;;) {
      std::array<pollfd, 2> waiting{
        {{listening_.number(), POLLIN, 0}, {leave_.number(), POLLIN, 0}}};
      ::poll(waiting.data(), waiting.size(), -1);
      if (waiting[1].revents != 0)
        return {};
      descriptor client{
        ::accept4(listening_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
      if (client)
        return client;
      // Out of descriptors the socket stays readable; without a pause this would spin.
      pollfd leave{leave_.number(), POLLIN, 0};
      if (errno != EAGAIN && errno != ECONNABORTED)
        ::poll(&leave, 1, 100);
    }
  }

  descriptor listening_;
  descriptor leave_;
  std::uint16_t port_;
  router router_;
  std::counting_semaphore<most_clients> places_{most_clients};
  httplib::ThreadPool pool_;
  std::jthread thread_; ///< Last: it uses the others.
};

metrics_endpoint::metrics_endpoint(std::unique_ptr<server> started) : server_{std::move(started)} {}

metrics_endpoint::~metrics_endpoint() = default;

std::uint16_t metrics_endpoint::port() const {
  return server_->port();
}

tl::expected<std::unique_ptr<metrics_endpoint>, std::string>
metrics_endpoint::open(const listen_address& at, endpoint_answers answers) {
  auto listening = listen_tcp(at);
  if (!listening)
    return tl::unexpected<std::string>{std::move(listening.error())};
  descriptor leave{::eventfd(0, EFD_CLOEXEC)};
  if (!leave)
    return tl::unexpected<std::string>{std::system_category().message(errno)};
  return std::unique_ptr<metrics_endpoint>{new metrics_endpoint{
    std::make_unique<server>(std::move(*listening), std::move(leave), std::move(answers))}};
}

} // namespace replicant::cli
