// SPDX-License-Identifier: MIT
#pragma once

#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/core/protocol/replication_frame.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace replicant {

/// Every fixture, by the name that `load_fixture` takes.
[[nodiscard]] std::vector<std::string> captured_streams();

/// "15" of "pgoutput_15_text".
[[nodiscard]] std::string major_of(std::string_view fixture);

/// Calls `take` with every frame of a fixture and, for XLogData, what its payload says. Fails the
/// test when one cannot be decoded. Views are valid during the call.
void for_each_message(
  const std::string& fixture,
  const std::function<void(const xlog_data&, const pgoutput_message&)>& take,
  const std::function<void(const keepalive&)>& take_keepalive = [](const keepalive&) {});

/// What a fixture tells, one line per message, in the words of tests/fixtures/pgoutput.expected.
/// Positions, times, transaction numbers, relations, types, keepalives and empty transactions are
/// left out, as they differ between servers and recordings.
[[nodiscard]] std::vector<std::string> story_of(const std::string& fixture);

} // namespace replicant
