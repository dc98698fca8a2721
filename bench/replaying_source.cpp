// SPDX-License-Identifier: MIT
#include "replicant/bench/replaying_source.hpp"

#include "replicant/core/model/byte_reader.hpp"
#include "replicant/core/protocol/pgoutput.hpp"

#include <algorithm>

namespace replicant::bench {

namespace {

// Where positions stand in a frame: behind its tag, and behind the tag of its message.
constexpr std::size_t start_of_data = 1;
constexpr std::size_t end_of_data = 9;
constexpr std::size_t final_lsn_of_begin = 26;
constexpr std::size_t commit_lsn_of_commit = 27;
constexpr std::size_t end_lsn_of_commit = 35;

std::uint64_t position_at(std::string_view frame, std::size_t at) {
  return byte_reader{frame.substr(at)}.u64();
}

void move(std::string& frame, std::size_t at, std::uint64_t by) {
  auto value = position_at(frame, at) + by;
  for (auto i = sizeof value; i > 0; --i, value >>= 8U)
    frame[at + i - 1] = static_cast<char>(value & 0xFFU);
}

} // namespace

replaying_source::replaying_source(const backlog& played)
  : played_{&played},
    span_{position_at(played.frames.back(), end_lsn_of_commit) -
          position_at(played.frames.front(), start_of_data) + 1} {}

result<source_facts> replaying_source::connect() {
  return source_facts{.identity = {.system_identifier = "1", .timeline = 1, .database = "bench"},
                      .server_version = 150000,
                      .wal_level = "logical",
                      .publications_exist = true,
                      .slot = slot_facts{.logical = true,
                                         .plugin = "pgoutput",
                                         .database = "bench",
                                         .restart = lsn{1},
                                         .confirmed = lsn{1}}};
}

result<lsn> replaying_source::create_slot() {
  return failure(reason::command_failed); // There is one already.
}

result<std::optional<std::string_view>> replaying_source::next_frame() {
  const std::string& frame = played_->frames[at_];
  const auto offset = offset_;
  if (++at_ == played_->frames.size()) {
    at_ = 0;
    offset_ += span_;
  }
  const auto tag = payload_of(frame).front();
  if (tag != 'B' && tag != 'C')
    return frame; // What lies between them has no position that anybody looks at.
  moved_ = frame;
  move(moved_, start_of_data, offset);
  move(moved_, end_of_data, offset);
  if (tag == 'B') {
    move(moved_, final_lsn_of_begin, offset);
  } else {
    move(moved_, commit_lsn_of_commit, offset);
    move(moved_, end_lsn_of_commit, offset);
  }
  return moved_;
}

void replaying_source::notify(bool reading, std::function<void()> ready) {
  if (reading)
    ready();
}

} // namespace replicant::bench
