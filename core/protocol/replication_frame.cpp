// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/replication_frame.hpp"

#include "replicant/core/model/byte_reader.hpp"

#include <cstdint>

namespace replicant {

namespace {

/// Writes `value` big-endian. @returns the position after it.
char* put(char* out, std::uint64_t value) {
  for (auto shift = 56; shift >= 0; shift -= 8)
    *out++ = static_cast<char>(value >> shift & 0xFF);
  return out;
}

} // namespace

result<replication_frame> decode_frame(std::string_view frame) {
  byte_reader in{frame};
  switch (in.u8()) {
    case 'w': {
      xlog_data data;
      data.start = lsn{in.u64()};
      data.end = lsn{in.u64()};
      data.sent = {in.i64()};
      data.payload = in.rest();
      if (!in.finished())
        return failure(reason::decode_failure);
      return data;
    }
    case 'k': {
      keepalive alive;
      alive.wal_end = lsn{in.u64()};
      alive.sent = {in.i64()};
      const auto reply = in.u8();
      if (!in.finished() || reply > 1)
        return failure(reason::decode_failure);
      alive.reply_requested = reply == 1;
      return alive;
    }
    default: return failure(reason::decode_failure);
  }
}

std::array<char, status_update_size> encode(const status_update& update) {
  std::array<char, status_update_size> frame{};
  auto* out = frame.data();
  *out++ = 'r';
  out = put(out, update.written.value());
  out = put(out, update.flushed.value());
  out = put(out, update.applied.value());
  out = put(out, static_cast<std::uint64_t>(update.now.microseconds));
  *out = update.reply_requested ? '\1' : '\0';
  return frame;
}

} // namespace replicant
