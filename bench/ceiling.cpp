// SPDX-License-Identifier: MIT
// Reads a slot as the program does and throws everything away: what reading alone costs. Ends when
// it has seen as many rows as asked for. Confirms nothing.
#include "replicant/actors/postgres/replication_source.hpp"
#include "replicant/core/delivery/read_pace.hpp"
#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/core/protocol/replication_frame.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <semaphore>
#include <string_view>

namespace {

using namespace replicant;

/// One slot, from its confirmed position on.
class reader {
public:
  explicit reader(postgres::source_options options) : source_{std::move(options)} {}

  result<void> read(std::uint64_t rows) {
    if (const auto facts = source_.connect(); !facts)
      return failure(facts.error());
    if (auto started = source_.start(lsn{}, false); !started)
      return started;
    read_pace pace{source_.gathering_limit()};
    while (rows_ < rows) {
      if (auto taken = read_what_is_here(pace); !taken)
        return taken;
      if (pace.pause().count() > 0)
        source_.let_gather(pace.pause());
      else if (rows_ < rows)
        wait();
    }
    source_.finish(std::chrono::seconds{2});
    return {};
  }

  [[nodiscard]] std::uint64_t rows() const { return rows_; }

private:
  result<void> read_what_is_here(read_pace& pace) {
    const auto now = std::chrono::steady_clock::now();
    while (true) {
      const auto frame = source_.next_frame();
      if (!frame)
        return failure(frame.error());
      if (!*frame)
        break;
      pace.on_frame();
      if (auto taken = take(**frame); !taken)
        return taken;
    }
    pace.on_drained(now);
    return {};
  }

  result<void> take(std::string_view frame) {
    const auto outer = decode_frame(frame);
    if (!outer)
      return failure(outer.error());
    if (const auto* data = std::get_if<xlog_data>(&*outer)) {
      const auto message = unwrap(data->payload, false);
      rows_ += message && message->is_row() ? 1 : 0;
      return {};
    }
    if (!std::get<keepalive>(*outer).reply_requested)
      return {};
    const auto alive = encode(status_update{});
    return source_.send({alive.data(), alive.size()});
  }

  void wait() {
    source_.notify(true, [this] { ready_.release(); });
    ready_.acquire();
  }

  std::binary_semaphore ready_{0}; ///< Outlives the source, whose thread releases it.
  postgres::postgres_source source_;
  std::uint64_t rows_ = 0;
};

} // namespace

int main(int count, char** arguments) {
  if (count != 6) {
    std::cerr << "usage: bench_ceiling CONNINFO SLOT PUBLICATION text|binary ROWS\n";
    return 2;
  }
  reader all{{.conninfo = arguments[1],
              .slot_name = arguments[2],
              .publications = {arguments[3]},
              .binary = std::string_view{arguments[4]} == "binary"}};
  if (const auto outcome = all.read(std::strtoull(arguments[5], nullptr, 10)); !outcome) {
    std::cerr << "bench_ceiling: " << to_string(outcome.error().why) << '\n';
    return EXIT_FAILURE;
  }
  std::cout << all.rows() << " rows\n";
  return EXIT_SUCCESS;
}
