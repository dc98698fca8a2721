// SPDX-License-Identifier: MIT
#include "replicant/tests/support/fixture_file.hpp"

#include "replicant/core/model/byte_reader.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace replicant {

std::string fixture_path(std::string_view file) {
  return std::string{REPLICANT_FIXTURES "/"}.append(file);
}

std::vector<std::string> load_fixture(std::string_view name) {
  return load_frames(fixture_path(std::string{name} + ".frames"));
}

std::vector<std::string> load_frames(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  const std::string content{std::istreambuf_iterator<char>{file}, {}};
  std::vector<std::string> frames;
  byte_reader in{content};
  while (in.left() > 0)
    frames.emplace_back(in.bytes(in.u32()));
  if (frames.empty() || in.failed())
    throw std::runtime_error{"fixture is absent, empty or cut short: " + path};
  return frames;
}

std::string encode_fixture(const std::vector<std::string>& frames) {
  std::string content;
  for (const auto& frame : frames) {
    const auto length = static_cast<std::uint32_t>(frame.size());
    for (auto shift = 24; shift >= 0; shift -= 8)
      content += static_cast<char>(length >> shift & 0xFF);
    content += frame;
  }
  return content;
}

} // namespace replicant
