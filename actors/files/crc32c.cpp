// SPDX-License-Identifier: MIT
#include "replicant/actors/files/crc32c.hpp"

#include <isa-l/crc.h>

#include <algorithm>

namespace replicant {

void crc32c::add(std::string_view bytes) {
  // The library counts in int, takes a pointer to mutable bytes that it only reads, and leaves both
  // inversions of the checksum's definition to its caller.
  constexpr std::size_t most = std::size_t{1} << 30;
  while (!bytes.empty()) {
    const auto some = bytes.substr(0, most);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast,cppcoreguidelines-pro-type-reinterpret-cast)
    auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(some.data()));
    state_ = crc32_iscsi(data, static_cast<int>(some.size()), state_);
    bytes.remove_prefix(some.size());
  }
}

} // namespace replicant
