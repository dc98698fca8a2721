// SPDX-License-Identifier: MIT
#include "replicant/actors/files/descriptor.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <thread>

using namespace replicant;

namespace {

struct pipe_ends {
  pipe_ends() {
    std::array<int, 2> numbers{};
    REQUIRE(::pipe2(numbers.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    out = descriptor{numbers[0]};
    in = descriptor{numbers[1]};
  }

  descriptor out;
  descriptor in;
};

} // namespace

TEST_CASE("a pipe without room is waited for, and takes everything in order",
          "[descriptor][unit]") {
  const pipe_ends ends;
  std::string sent;
  for (int i = 0; sent.size() < 1'000'000; ++i)
    sent += std::to_string(i) + '\n';
  int error = -1;
  std::thread writer{[&] { error = write_all(ends.in.number(), sent); }};
  std::string got;
  std::array<char, 4096> some{};
  while (got.size() < sent.size()) {
    const auto count = ::read(ends.out.number(), some.data(), some.size());
    if (count > 0)
      got.append(some.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EAGAIN)
      break;
  }
  writer.join();
  CHECK(error == 0);
  CHECK(got == sent);
}

TEST_CASE("what takes no more bytes is told with its errno", "[descriptor][unit]") {
  const auto full = descriptor::open("/dev/full", O_WRONLY);
  REQUIRE(full);
  CHECK(write_all(full.number(), "x") == ENOSPC);
  CHECK(write_all(full.number(), "") == 0);
  CHECK(write_all(-1, "x") == EBADF);
}
