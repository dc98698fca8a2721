// SPDX-License-Identifier: MIT
#pragma once

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace replicant::test {

/// The bytes of a file; none when it cannot be read.
inline std::string read_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}

inline void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out{path, std::ios::binary | std::ios::trunc};
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(out.flush().good());
}

/// Overwrites bytes of a file in place.
inline void patch_file(const std::string& path, std::size_t at, std::string_view bytes) {
  std::fstream out{path, std::ios::binary | std::ios::in | std::ios::out};
  out.seekp(static_cast<std::streamoff>(at));
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  REQUIRE(out.flush().good());
}

} // namespace replicant::test
