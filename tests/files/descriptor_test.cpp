// SPDX-License-Identifier: MIT
#include "replicant/actors/files/descriptor.hpp"
#include "replicant/tests/support/file_size_limit.hpp"
#include "replicant/tests/support/temp_dir.hpp"
#include "replicant/tests/support/test_files.hpp"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <thread>

using namespace replicant;
using namespace replicant::test;

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

TEST_CASE("two pieces are written where they belong, and read from there", "[descriptor][unit]") {
  const temp_dir folder;
  const auto parent = descriptor::open(folder / ".", O_RDONLY | O_DIRECTORY);
  const auto file = descriptor::open_at(parent.number(), "file", O_RDWR | O_CREAT | O_EXCL, 0600);
  REQUIRE(file);
  CHECK_FALSE(descriptor::open_at(parent.number(), "file", O_RDWR | O_CREAT | O_EXCL, 0600));
  CHECK(write_at(file.number(), 2, "cd", "efg").size == 5);
  CHECK(write_at(file.number(), 0, "", "ab").size == 2);
  CHECK(write_at(file.number(), 7, "").size == 0);
  CHECK(read_file(folder / "file") == "abcdefg");
  std::array<char, 4> some{};
  CHECK(read_at(file.number(), 1, some).size == 4);
  CHECK(std::string{some.data(), 4} == "bcde");
  const auto rest = read_at(file.number(), 5, some);
  CHECK(rest.size == 2);
  CHECK(rest.error == 0);
  CHECK(read_at(parent.number(), 0, some).error == EISDIR);
}

TEST_CASE("a write that ends early tells how far it came, and why", "[descriptor][unit]") {
  const temp_dir folder;
  const auto file = descriptor::open(folder / "file", O_RDWR | O_CREAT, 0600);
  const file_size_limit limit{10};
  const auto put = write_at(file.number(), 0, "12345678", "12345678");
  CHECK(put.size == 10);
  CHECK(put.error == EFBIG);
  CHECK(read_file(folder / "file") == "1234567812");
}

TEST_CASE("what is released is somebody else's to close", "[descriptor][unit]") {
  int number = -1;
  {
    auto owner = descriptor::open("/dev/null", O_RDONLY);
    number = owner.release();
    CHECK_FALSE(owner);
  }
  const descriptor again{number};
  CHECK(::fcntl(number, F_GETFD) != -1);
}
