// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/config/listen_address.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace replicant::cli {

/// What the endpoint tells. Called on its threads, several at once.
struct endpoint_answers {
  std::function<std::string()> metrics; ///< In Prometheus' text format.
  std::function<bool()> alive;          ///< Whether what runs pipelines answers.
  /// A line for each pipeline that does not stream; none: all do.
  std::function<std::vector<std::string>()> unready;
};

/// Tells by HTTP how the running program is: /metrics, and for whoever supervises it /livez (200
/// while it answers at all) and /readyz (200 while every pipeline streams, otherwise 503 and why).
/// Anything else is 404.
///
/// One thread takes clients and eight serve them. What a client may cost is bounded: each has two
/// seconds for all it does, and newcomers wait in the kernel's queue while sixteen are there.
class metrics_endpoint {
public:
  /// Listens at once; port 0 is one that the system chooses. @returns what the system says where
  /// that fails.
  [[nodiscard]] static tl::expected<std::unique_ptr<metrics_endpoint>, std::string>
  open(const listen_address& at, endpoint_answers answers);

  /// Stops at once, in the middle of an answer too; waits only for one that is being made.
  ~metrics_endpoint();

  metrics_endpoint(const metrics_endpoint&) = delete;
  metrics_endpoint& operator=(const metrics_endpoint&) = delete;

  [[nodiscard]] std::uint16_t port() const;

private:
  class server;

  explicit metrics_endpoint(std::unique_ptr<server> started);

  std::unique_ptr<server> server_;
};

} // namespace replicant::cli
