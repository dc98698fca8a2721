// SPDX-License-Identifier: MIT
#include "replicant/tests/core/protocol/captured_stream.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <variant>

using namespace replicant;

namespace {

/// Payloads up to this size have every byte changed to every other value. Larger ones and the
/// numbers of the XLogData header get eight values; of the largest (1600 columns), only the bytes
/// around both ends and every 61st.
constexpr std::size_t exhausted_size = 128;
constexpr std::size_t sampled_size = 4096;
constexpr std::size_t header_size = 25;

/// Reads every byte that a message refers to, so that the sanitizer sees a view that is too long.
struct toucher {
  std::size_t sum = 0;

  void touch(std::string_view bytes) {
    sum = std::accumulate(bytes.begin(), bytes.end(), sum,
                          [](std::size_t total, char c) { return total + (c & 0xFF); });
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

  void operator()(const stream_abort_message&) {}
};

/// Decodes frames out of heap blocks of exactly their size.
class victim {
public:
  /// @returns whether the frame and its payload are what the protocol allows; a fault has to be a
  /// `decode_failure`.
  bool accepts(std::string_view frame) {
    const auto read = decode_frame(frame);
    if (!read)
      return refused(read.error());
    const auto* const data = std::get_if<xlog_data>(&*read);
    if (data == nullptr)
      return true;
    const auto message = decoder_.decode(data->payload);
    if (!message)
      return refused(message.error());
    std::visit(toucher_, *message);
    return true;
  }

private:
  static bool refused(const fault& what) {
    if (what.why != reason::decode_failure)
      FAIL("a fault that is no decode_failure");
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
  return size <= sampled_size || at < 128 || at + 128 >= size || at % 61 == 0;
}

/// Decodes the frame with one byte changed, for the bytes and values described above.
void change_each_byte(victim& target, std::string_view frame) {
  const block copy{frame};
  for (std::size_t at = 0; at < copy.size; ++at) {
    if (!is_sampled(at, copy.size))
      continue;
    const auto original = static_cast<unsigned char>(copy.bytes[at]);
    const auto change_to = [&](int value) {
      copy.bytes[at] = static_cast<char>(value);
      static_cast<void>(target.accepts(copy.view()));
    };
    if (copy.size <= header_size + exhausted_size &&
        (at == 0 || at >= header_size || frame[0] != 'w'))
      for (auto other = 1; other < 256; ++other)
        change_to(original ^ other);
    else
      for (const auto value : {0x00, 0x01, 0x7F, 0x80, 0xFF, original ^ 1, original ^ 0x80, 0x6E})
        change_to(value);
    copy.bytes[at] = static_cast<char>(original);
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
  for (const auto* const form : {"_text", "_binary"})
    for (const auto& frame : load_fixture("pgoutput_" + major + form))
      if (tried.insert(frame.substr(std::min(frame.size(), header_size))).second)
        change_each_byte(target, frame);
  CHECK(tried.size() > 150);
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
