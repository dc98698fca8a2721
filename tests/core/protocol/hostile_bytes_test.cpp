// SPDX-License-Identifier: MIT
#include "replicant/tests/core/protocol/captured_stream.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

using namespace replicant;

namespace {

/// Every other value is tried on payloads up to this size, once per tag and size and recording. The
/// numbers of the XLogData header, larger payloads and further ones of a known tag and size get
/// eight values per byte; frames beyond `sampled_size` only on 64 bytes at either end and on 40
/// spread between.
constexpr std::size_t exhausted_size = 128;
constexpr std::size_t sampled_size = 512;
constexpr std::size_t header_size = 25;

/// Reads both ends of every view in a message, so that the sanitizer sees one that leaves its
/// frame.
struct toucher {
  std::size_t sum = 0;

  void touch(std::string_view bytes) {
    if (!bytes.empty())
      sum += static_cast<unsigned char>(bytes.front() ^ bytes.back());
  }

  void touch(tuple cells) {
    for (const auto& value : cells)
      touch(value.bytes);
  }

  void operator()(const begin_message&) {}

  void operator()(const commit_message&) {}

  void operator()(const origin_message& origin) { touch(origin.name); }

  void operator()(const relation& table) {
    touch(table.schema);
    touch(table.name);
    sum += table.columns.size();
  }

  void operator()(const type_message& type) {
    touch(type.schema);
    touch(type.name);
  }

  void operator()(const row_message& row) {
    touch(row.old);
    touch(row.record);
  }

  void operator()(const truncate_message& truncate) {
    sum = std::accumulate(truncate.relations.begin(), truncate.relations.end(), sum);
  }

  void operator()(const logical_message& message) {
    touch(message.prefix);
    touch(message.content);
  }

  void operator()(const stream_start_message&) {}

  void operator()(const stream_stop_message&) {}

  void operator()(const stream_commit_message&) {}

  void operator()(const stream_abort_message&) {}
};

/// Decodes frames out of heap blocks of exactly their size.
class victim {
public:
  int accepted = 0;
  int refused = 0;

  /// @returns whether the frame and its payload are what the protocol allows; a fault has to be a
  /// `decode_failure`.
  bool accepts(std::string_view frame) {
    const auto read = decode_frame(frame);
    if (!read)
      return refuse(read.error());
    if (const auto* const data = std::get_if<xlog_data>(&*read)) {
      const auto unwrapped = unwrap(data->payload, false);
      if (!unwrapped)
        return refuse(unwrapped.error());
      const auto message = decoder_.decode(*unwrapped);
      if (!message)
        return refuse(message.error());
      std::visit(toucher_, *message);
    }
    ++accepted;
    return true;
  }

private:
  bool refuse(const fault& what) {
    if (what.why != reason::decode_failure)
      FAIL("a fault that is no decode_failure");
    ++refused;
    return false;
  }

  pgoutput_decoder decoder_;
  toucher toucher_;
};

struct block {
  explicit block(std::string_view content)
    : bytes{std::make_unique<char[]>(content.size())}, size{content.size()} {
    std::copy(content.begin(), content.end(), bytes.get());
  }

  [[nodiscard]] std::string_view view() const { return {bytes.get(), size}; }

  std::unique_ptr<char[]> bytes;
  std::size_t size;
};

bool is_sampled(std::size_t at, std::size_t size) {
  return size <= sampled_size || at < 64 || at + 64 >= size || at % (size / 40) == 0;
}

enum class effort : std::uint8_t {
  eight_values,
  every_value,
};

/// Decodes the frame with one byte changed to each of the values that `how` stands for.
void change_byte(victim& target, const block& frame, std::size_t at, effort how) {
  const auto original = static_cast<unsigned char>(frame.bytes[at]);
  const auto change_to = [&](int value) {
    frame.bytes[at] = static_cast<char>(value);
    static_cast<void>(target.accepts(frame.view()));
  };
  if (how == effort::every_value)
    for (auto other = 1; other < 256; ++other)
      change_to(original ^ other);
  else
    for (const auto value : {0x00, 0x01, 0x7F, 0x80, 0xFF, original ^ 1, original ^ 0x80, 0x6E})
      change_to(value);
  frame.bytes[at] = static_cast<char>(original);
}

void change_each_byte(victim& target, std::string_view frame, effort how) {
  const block copy{frame};
  for (std::size_t at = 0; at < copy.size; ++at) {
    const auto in_header = frame[0] == 'w' && at > 0 && at < header_size;
    if (is_sampled(at, copy.size))
      change_byte(target, copy, at, in_header ? effort::eight_values : how);
  }
}

/// Whether the fixture's frame is whole, and no beginning of it nor one byte more is.
void check_exact_length(victim& target, std::string_view frame) {
  REQUIRE(target.accepts(block{frame}.view()));
  for (std::size_t length = 0; length < frame.size(); ++length)
    if (is_sampled(length, frame.size()) && target.accepts(block{frame.substr(0, length)}.view()))
      FAIL("accepted after " << length << " of " << frame.size() << " bytes");
  for (const auto more : {'\0', 'n', '\xFF'})
    if (target.accepts(block{std::string{frame} + more}.view()))
      FAIL("accepted with a byte too many");
}

/// Both forms of a server's recording; what they have in common is tried once.
void change_each_frame(const std::string& major) {
  victim target;
  std::set<std::string> tried;
  std::set<std::pair<char, std::size_t>> exhausted;
  for (const auto* const form : {"_text", "_binary"})
    for (const auto& frame : load_fixture("pgoutput_" + major + form)) {
      const auto payload = frame.substr(frame[0] == 'w' ? header_size : 0);
      if (!tried.insert(payload).second)
        continue;
      const auto is_new =
        payload.size() <= exhausted_size && exhausted.insert({payload[0], payload.size()}).second;
      change_each_byte(target, frame, is_new ? effort::every_value : effort::eight_values);
    }
  CHECK(exhausted.size() > 50);
  CHECK(target.accepted > 10'000);
  CHECK(target.refused > 10'000);
}

} // namespace

TEST_CASE("every truncation of a captured frame is a fault, and so is any trailing byte",
          "[protocol][unit]") {
  const auto fixture = GENERATE(from_range(captured_streams()));
  victim target;
  auto number = 0;
  for (const auto& frame : load_fixture(fixture)) {
    CAPTURE(fixture, number++);
    check_exact_length(target, frame);
  }
}

// One case per server, so that they run side by side.

TEST_CASE("a changed byte of PostgreSQL 14 gives a value or a fault", "[protocol][unit]") {
  change_each_frame("14");
}

TEST_CASE("a changed byte of PostgreSQL 15 gives a value or a fault", "[protocol][unit]") {
  change_each_frame("15");
}

TEST_CASE("a changed byte of PostgreSQL 17 gives a value or a fault", "[protocol][unit]") {
  change_each_frame("17");
}

TEST_CASE("a changed byte of PostgreSQL 18 gives a value or a fault", "[protocol][unit]") {
  change_each_frame("18");
}
