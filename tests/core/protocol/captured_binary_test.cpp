// SPDX-License-Identifier: MIT
#include "replicant/core/model/byte_reader.hpp"
#include "replicant/tests/core/protocol/captured_stream.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <variant>
#include <vector>

using namespace replicant;

namespace {

/// The payloads of a recording, in order.
std::vector<std::string> payloads_of(const std::string& fixture) {
  std::vector<std::string> payloads;
  for (const auto& bytes : load_fixture(fixture)) {
    const auto frame = decode_frame(bytes);
    REQUIRE(frame);
    if (const auto* const data = std::get_if<xlog_data>(&*frame))
      payloads.emplace_back(data->payload);
  }
  return payloads;
}

/// Compares the two forms of one value, for types whose binary form is obvious.
void check_same(const column& part, const cell& text, const cell& binary) {
  constexpr std::uint32_t int8 = 20;
  constexpr std::uint32_t int2 = 21;
  constexpr std::uint32_t int4 = 23;
  constexpr std::uint32_t text_type = 25;
  constexpr std::uint32_t varchar = 1043;
  if (binary.kind != cell_kind::binary) {
    CHECK(text.kind == binary.kind);
    CHECK(text.bytes == binary.bytes);
    return;
  }
  CHECK(text.kind == cell_kind::text);
  byte_reader in{binary.bytes};
  const std::string digits{text.bytes};
  switch (part.type) {
    case int2: CHECK(static_cast<std::int16_t>(in.u16()) == std::stoi(digits)); break;
    case int4: CHECK(in.i32() == std::stoi(digits)); break;
    case int8: CHECK(in.i64() == std::stoll(digits)); break;
    case text_type:
    case varchar: CHECK(in.rest() == text.bytes); break;
    default: return;
  }
  CHECK(in.finished());
}

void check_same(const std::vector<column>& columns, tuple text, tuple binary) {
  REQUIRE(text.size() == binary.size());
  REQUIRE((text.empty() || text.size() == columns.size()));
  for (std::size_t i = 0; i < text.size(); ++i)
    check_same(columns[i], text[i], binary[i]);
}

} // namespace

TEST_CASE("binary values are the text ones in another form, everything else is the same",
          "[protocol][unit]") {
  const auto* const major = GENERATE("14", "15", "17", "18");
  CAPTURE(major);
  const auto in_text = payloads_of(std::string{"pgoutput_"} + major + "_text");
  const auto in_binary = payloads_of(std::string{"pgoutput_"} + major + "_binary");
  REQUIRE(in_text.size() == in_binary.size());
  pgoutput_decoder text_decoder;
  pgoutput_decoder binary_decoder;
  std::map<std::uint32_t, std::vector<column>> columns;
  auto rows = 0;
  for (std::size_t i = 0; i < in_text.size(); ++i) {
    CAPTURE(i);
    const auto as_text = unwrap(in_text[i], false);
    const auto as_binary = unwrap(in_binary[i], false);
    REQUIRE(as_text);
    REQUIRE(as_binary);
    if (!as_text->is_row()) {
      REQUIRE(in_text[i] == in_binary[i]);
      const auto message = text_decoder.decode(*as_text);
      REQUIRE(message);
      if (const auto* const table = std::get_if<relation>(&*message))
        columns[table->oid] = table->columns;
      continue;
    }
    const auto text = text_decoder.decode_row(*as_text);
    const auto binary = binary_decoder.decode_row(*as_binary);
    REQUIRE(text);
    REQUIRE(binary);
    CHECK(text->op == binary->op);
    CHECK(text->old_kind == binary->old_kind);
    REQUIRE(text->relation == binary->relation);
    check_same(columns.at(text->relation), text->old, binary->old);
    check_same(columns.at(text->relation), text->record, binary->record);
    ++rows;
  }
  CHECK(rows > 50);
}
