// SPDX-License-Identifier: MIT
#include "replicant/tests/core/protocol/captured_stream.hpp"

#include "replicant/tests/support/fixture_file.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <map>
#include <variant>

namespace replicant {

namespace {

/// Printable ASCII as it is, every other byte in hex.
std::string escaped(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const auto c : bytes) {
    const auto value = static_cast<unsigned char>(c);
    if (value >= 0x20 && value < 0x7F && c != '\\')
      text += c;
    else
      text.append("\\x").append(1, digits[value >> 4]).append(1, digits[value & 0xF]);
  }
  return text;
}

std::string text_of(const cell& value) {
  switch (value.kind) {
    case cell_kind::null: return "null";
    case cell_kind::unchanged: return "unchanged";
    case cell_kind::text:
    case cell_kind::binary: break;
  }
  const auto bytes = value.bytes;
  if (bytes.size() > 1000 && bytes.find_first_not_of(bytes[0]) == std::string_view::npos)
    return std::string{"'"} + bytes[0] + "'*" + std::to_string(bytes.size());
  return (value.kind == cell_kind::binary ? "b'" : "'") + escaped(bytes) + "'";
}

/// The cells in parentheses, with long runs of one text counted.
std::string text_of(tuple cells) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < cells.size();) {
    const auto part = text_of(cells[i]);
    std::size_t run = 1;
    while (i + run < cells.size() && text_of(cells[i + run]) == part)
      ++run;
    if (run > 4)
      parts.push_back(part + "*" + std::to_string(run));
    else
      parts.insert(parts.end(), run, part);
    i += run;
  }
  std::string text;
  for (const auto& part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return "(" + text + ")";
}

/// Turns messages into lines.
class narrator {
public:
  std::vector<std::string> lines;

  void operator()(const begin_message&) { lines.emplace_back("begin"); }

  void operator()(const commit_message&) {
    if (lines.back() == "begin")
      lines.pop_back();
    else
      lines.emplace_back("commit");
  }

  void operator()(const origin_message& origin) {
    lines.push_back("origin " + to_string(origin.at) + " " + escaped(origin.name));
  }

  void operator()(const relation& table) {
    names_[table.oid] = escaped(table.schema + "." + table.name);
  }

  void operator()(const type_message&) {}

  void operator()(const row_message& row) {
    auto line = row.op == operation::insert   ? std::string{"insert "}
                : row.op == operation::update ? std::string{"update "}
                                              : std::string{"delete "};
    line += names_.at(row.relation);
    if (row.old_kind != old_image::none)
      line += (row.old_kind == old_image::key ? " key " : " row ") + text_of(row.old);
    if (row.op != operation::remove)
      line += (row.op == operation::update ? " -> " : " ") + text_of(row.record);
    lines.push_back(line);
  }

  void operator()(const truncate_message& truncate) {
    std::string line = "truncate";
    for (const auto oid : truncate.relations)
      line += " " + names_.at(oid);
    lines.push_back(line + (truncate.how.restart_identity ? " restart identity" : "") +
                    (truncate.how.cascade ? " cascade" : ""));
  }

  void operator()(const logical_message& message) {
    lines.push_back(std::string{message.transactional ? "message" : "message outside"} + " '" +
                    escaped(message.prefix) + "' '" + escaped(message.content) + "'");
  }

  void operator()(const stream_start_message& start) {
    lines.emplace_back(start.first_segment ? "first segment" : "segment");
  }

  void operator()(const stream_stop_message&) { lines.emplace_back("end of segment"); }

  void operator()(const stream_commit_message&) { lines.emplace_back("stream commit"); }

  void operator()(const stream_abort_message& abort) {
    lines.emplace_back(abort.xid == abort.subxid ? "stream abort" : "stream abort of a part");
  }

private:
  std::map<std::uint32_t, std::string> names_;
};

} // namespace

std::vector<std::string> captured_streams() {
  std::vector<std::string> names;
  for (const auto* const major : {"14", "15", "17", "18"})
    for (const auto* const form : {"text", "binary"})
      names.push_back(std::string{"pgoutput_"} + major + "_" + form);
  return names;
}

std::string major_of(std::string_view fixture) {
  return std::string{fixture.substr(fixture.find('_') + 1, 2)};
}

void for_each_message(const std::string& fixture,
                      const std::function<void(const xlog_data&, const pgoutput_message&)>& take,
                      const std::function<void(const keepalive&)>& take_keepalive) {
  pgoutput_decoder decoder;
  auto in_segment = false;
  for (const auto& bytes : load_fixture(fixture)) {
    const auto frame = decode_frame(bytes);
    REQUIRE(frame);
    if (const auto* const alive = std::get_if<keepalive>(&*frame)) {
      take_keepalive(*alive);
      continue;
    }
    const auto& data = std::get<xlog_data>(*frame);
    const auto unwrapped = unwrap(data.payload, in_segment);
    REQUIRE(unwrapped);
    const auto message = decoder.decode(*unwrapped);
    REQUIRE(message);
    in_segment = std::holds_alternative<stream_start_message>(*message) ||
                 (in_segment && !std::holds_alternative<stream_stop_message>(*message));
    take(data, *message);
  }
}

std::vector<std::string> story_of(const std::string& fixture) {
  narrator teller;
  for_each_message(fixture, [&](const xlog_data&, const pgoutput_message& message) {
    std::visit(teller, message);
  });
  return teller.lines;
}

} // namespace replicant
