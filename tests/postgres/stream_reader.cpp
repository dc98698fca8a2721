// SPDX-License-Identifier: MIT
#include "replicant/tests/postgres/stream_reader.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace replicant::test {

namespace {

constexpr std::size_t xlog_data_header = 25;

void append(std::string& to, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8)
    to += static_cast<char>(number >> shift & 0xFF);
}

std::uint64_t number_at(std::string_view bytes, std::size_t offset) {
  std::uint64_t number = 0;
  for (const auto byte : bytes.substr(offset, 8))
    number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

} // namespace

std::string status_update(lsn position) {
  std::string frame{"r"};
  for (int which = 0; which < 3; ++which)
    append(frame, position.value());
  append(frame, 0);
  frame += '\0';
  return frame;
}

bool stream_reader::wait(bool reading, std::chrono::milliseconds patience) {
  struct signal {
    std::mutex mutex;
    std::condition_variable condition;
    bool given = false;
  };

  const auto called = std::make_shared<signal>();
  source_.notify(reading, [called] {
    const std::lock_guard lock{called->mutex};
    called->given = true;
    called->condition.notify_all();
  });
  std::unique_lock lock{called->mutex};
  return called->condition.wait_for(lock, patience, [&] { return called->given; });
}

void stream_reader::drain() {
  for (;;) {
    const auto frame = source_.next_frame();
    if (!frame) {
      failure_ = frame.error();
      return;
    }
    if (!*frame)
      return;
    bytes_ += (*frame)->size();
    if ((*frame)->starts_with('w')) {
      frames_.emplace_back((*frame)->substr(xlog_data_header));
      text_.append(frames_.back()).append("\n");
      tags_ += frames_.back().front();
    }
  }
}

std::optional<std::string> stream_reader::read_message(char tag) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!failure_ && std::chrono::steady_clock::now() < until) {
    drain();
    while (!frames_.empty()) {
      auto frame = std::move(frames_.front());
      frames_.pop_front();
      if (frame.starts_with(tag))
        return frame;
    }
    if (!failure_)
      wait(true, std::chrono::seconds{1});
  }
  return std::nullopt;
}

std::optional<lsn> stream_reader::read_commit() {
  const auto commit = read_message('C');
  return commit ? std::optional{lsn{number_at(*commit, 2)}} : std::nullopt;
}

std::optional<fault> stream_reader::read_to_the_end() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!failure_ && std::chrono::steady_clock::now() < until) {
    drain();
    if (!failure_)
      wait(true, std::chrono::seconds{1});
  }
  return failure_;
}

bool stream_reader::seen(std::string_view value) const {
  return text_.find(value) != std::string::npos;
}

} // namespace replicant::test
