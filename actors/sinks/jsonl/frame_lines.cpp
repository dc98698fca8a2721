// SPDX-License-Identifier: MIT
#include "replicant/actors/sinks/jsonl/frame_lines.hpp"

#include "replicant/actors/sinks/jsonl/field_reader.hpp"
#include "replicant/actors/sinks/jsonl/json_text.hpp"
#include "replicant/core/values/digits.hpp"

#include <utility>

namespace replicant {

namespace {

constexpr auto header_start =
  std::string_view{R"({"kind":"header","format":1,"system_identifier":")"};
constexpr auto header_database = std::string_view{R"(","database":")"};
constexpr auto header_slot = std::string_view{R"(","slot_name":")"};
constexpr auto header_continued = std::string_view{R"(","start":")"};
constexpr auto header_state = std::string_view{R"(","state_bytes":)"};
constexpr auto text_end = std::string_view{R"("})"};
constexpr auto number_end = std::string_view{"}"};

/// More than the longest header: three names, each byte escaped.
constexpr std::size_t torn_header_limit = 4096;

constexpr auto begin_start = std::string_view{R"({"kind":"begin","xid":)"};
constexpr auto commit_lsn_key = std::string_view{R"(,"commit_lsn":")"};
constexpr auto commit_time_key = std::string_view{R"(","commit_time":")"};

constexpr auto message_alone_start =
  std::string_view{R"({"kind":"message","transactional":false,)"};
constexpr auto message_lsn_key = std::string_view{R"(","lsn":")"};

constexpr auto progress_start = std::string_view{R"({"kind":"progress","lsn":")"};

constexpr auto state_name_key = std::string_view{R"("name":")"};
constexpr auto state_content_key = std::string_view{R"(","content_base64":")"};

} // namespace

void append_header(std::string& out, const header_line& header) {
  // Each key constant carries the quotes of the strings around it.
  const auto append_bare = [&out](std::string_view text) {
    const auto quote = out.size();
    append_json_string(out, text);
    out.erase(quote, 1);
    out.pop_back();
  };
  out.append(header_start);
  append_bare(header.source.system_identifier);
  out.append(header_database);
  append_bare(header.source.database);
  out.append(header_slot);
  append_bare(header.source.slot_name);
  if (header.start)
    out.append(header_continued).append(to_string(header.start->position()));
  if (header.state_bytes != 0) {
    append_decimal(out.append(header_state), header.state_bytes);
    out.append(number_end);
  } else {
    out.append(text_end);
  }
  out.push_back('\n');
}

std::optional<header_line> read_header(std::string_view line) {
  field_reader fields{line};
  header_line header;
  const auto take = [&fields](std::string_view key, std::string& into) {
    auto text = fields.skip(key) ? fields.text() : std::nullopt;
    if (text)
      into = std::move(*text);
    return text.has_value();
  };
  if (!take(header_start, header.source.system_identifier) ||
      !take(header_database, header.source.database) || !take(header_slot, header.source.slot_name))
    return std::nullopt;
  if (fields.skip(header_continued)) {
    const auto position = fields.position();
    if (!position)
      return std::nullopt;
    header.start = watermark::through(*position);
  }
  auto end = text_end;
  if (fields.skip(header_state)) {
    header.state_bytes = fields.number<std::uint64_t>().value_or(0);
    if (header.state_bytes == 0)
      return std::nullopt;
    end = number_end;
  }
  return fields.rest() == end ? std::optional{std::move(header)} : std::nullopt;
}

bool is_torn_header(std::string_view bytes) {
  // A file system may have kept the new length and lost the last pages: they read as zeros.
  const auto written = bytes.substr(0, bytes.find_last_not_of('\0') + 1);
  return bytes.size() <= torn_header_limit &&
         (written.starts_with(header_start) || header_start.starts_with(written)) &&
         written.find('\0') == std::string_view::npos;
}

void append_begin(std::string& out, const transaction& txn) {
  out.append(begin_start);
  append_decimal(out, txn.xid);
  out.append(commit_lsn_key).append(to_string(txn.commit_lsn));
  out.append(commit_time_key).append(to_string(txn.commit_time)).append("\"}\n");
}

std::optional<begin_line> read_begin(std::string_view line) {
  // The commit time is not looked at: the checksum covers it.
  field_reader fields{line};
  if (!fields.skip(begin_start))
    return std::nullopt;
  const auto xid = fields.number<std::uint32_t>();
  if (!xid || !fields.skip(commit_lsn_key))
    return std::nullopt;
  const auto commit_lsn = fields.position();
  if (!commit_lsn || !fields.skip(commit_time_key))
    return std::nullopt;
  return begin_line{*xid, *commit_lsn};
}

void append_commit(std::string& out, const commit_line& commit) {
  out.append(R"({"kind":"commit","xid":)");
  append_decimal(out, commit.xid);
  out.append(commit_lsn_key).append(to_string(commit.commit_lsn)).append(R"(","changes":)");
  append_decimal(out, commit.changes);
  out.append(R"(,"bytes":)");
  append_decimal(out, commit.bytes);
  out.append(R"(,"crc32c":")");
  append_hex(out, commit.checksum, 8);
  out.append("\"}\n");
}

namespace {

void append_names(std::string& out, const relation& table) {
  out.append(R"("schema":)");
  append_json_string(out, table.schema);
  out.append(R"(,"table":)");
  append_json_string(out, table.name);
}

template <class Wanted>
void append_columns(std::string& out, const relation& table, Wanted wanted) {
  std::string_view before = "[";
  for (const auto& one : table.columns) {
    if (!wanted(one))
      continue;
    out.append(std::exchange(before, ","));
    append_json_string(out, one.name);
  }
  out.append(before == "[" ? "[]" : "]");
}

} // namespace

void append_schema_change(std::string& out, const schema_change& what) {
  out.append(schema_change_line_start);
  append_names(out, *what.after);
  out.append(commit_lsn_key).append(to_string(what.at)).append(R"(","changes":)");
  std::string_view before = "[";
  for (const auto& one : what.differences) {
    out.append(std::exchange(before, ",")).append(R"({"change":")").append(to_string(one.kind));
    out.push_back('"');
    if (!one.column.empty()) {
      out.append(R"(,"column":)");
      append_json_string(out, one.column);
    }
    if (one.kind == schema_change_kind::table_renamed) {
      out.append(R"(,"from":{)");
      append_names(out, *what.before);
      out.push_back('}');
    }
    out.push_back('}');
  }
  out.append(R"(],"columns":)");
  append_columns(out, *what.after, [](const column&) { return true; });
  out.append(R"(,"key":)");
  append_columns(out, *what.after, [](const column& one) { return one.key; });
  out.append("}\n");
}

void append_message(std::string& out, const logical_message& message) {
  out.append(message.transactional ? message_in_transaction_start : message_alone_start);
  out.append(R"("prefix":)");
  append_json_string(out, message.prefix);
  out.append(R"(,"content_base64":)");
  append_json_base64(out, message.content);
  out.append(R"(,"lsn":")").append(to_string(message.at)).push_back('"');
  if (message.transactional) {
    out.append(R"(,"ordinal":)");
    append_decimal(out, message.ordinal);
  }
  out.append("}\n");
}

std::optional<watermark> read_message(std::string_view head, std::string_view tail) {
  const auto at = tail.rfind(message_lsn_key);
  if (!head.starts_with(message_alone_start) || at == std::string_view::npos)
    return std::nullopt;
  field_reader fields{tail.substr(at + message_lsn_key.size())};
  const auto position = fields.position();
  if (!position || fields.rest() != text_end)
    return std::nullopt;
  return watermark::before(*position);
}

void append_progress(std::string& out, watermark reached) {
  out.append(progress_start).append(to_string(reached.position())).append("\"}\n");
}

std::optional<watermark> read_progress(std::string_view line) {
  field_reader fields{line};
  if (!fields.skip(progress_start))
    return std::nullopt;
  const auto position = fields.position();
  if (!position || fields.rest() != text_end)
    return std::nullopt;
  return watermark::through(*position);
}

void append_state(std::string& out, const state_entry& entry) {
  out.append(state_line_start).append(R"("name":)");
  append_json_string(out, entry.name);
  out.append(R"(,"content_base64":)");
  append_json_base64(out, entry.content);
  out.append("}\n");
}

std::optional<state_entry> read_state(std::string_view line) {
  field_reader fields{line};
  if (!fields.skip(state_line_start) || !fields.skip(state_name_key))
    return std::nullopt;
  auto name = fields.text();
  if (!name || !fields.skip(state_content_key) || !fields.rest().ends_with(text_end))
    return std::nullopt;
  auto content = read_base64(fields.rest().substr(0, fields.rest().size() - text_end.size()));
  if (!content)
    return std::nullopt;
  return state_entry{std::move(*name), std::move(*content)};
}

} // namespace replicant
