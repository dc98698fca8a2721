// SPDX-License-Identifier: MIT
#include "replicant/core/protocol/pgoutput.hpp"

#include <optional>
#include <utility>

namespace replicant {

namespace {

/// The wire sends pg_catalog as the empty name.
std::string_view schema_name(std::string_view sent) {
  return sent.empty() ? std::string_view{"pg_catalog"} : sent;
}

/// A message that was read to its exact end, or a fault.
template <class Message>
result<pgoutput_message> whole(const byte_reader& in, Message&& message) {
  if (!in.finished())
    return failure(reason::decode_failure);
  return pgoutput_message{std::forward<Message>(message)};
}

/// A byte of which only the bits of `known` have a meaning.
std::uint8_t flags(byte_reader& in, std::uint8_t known) {
  const auto value = in.u8();
  if ((value & ~known) != 0)
    in.fail();
  return value;
}

result<pgoutput_message> decode_begin(byte_reader in) {
  begin_message begin;
  begin.final_lsn = lsn{in.u64()};
  begin.commit_time = {in.i64()};
  begin.xid = in.u32();
  return whole(in, begin);
}

result<pgoutput_message> decode_commit(byte_reader in) {
  commit_message commit;
  static_cast<void>(flags(in, 0));
  commit.commit_lsn = lsn{in.u64()};
  commit.end_lsn = lsn{in.u64()};
  commit.commit_time = {in.i64()};
  return whole(in, commit);
}

result<pgoutput_message> decode_origin(byte_reader in) {
  origin_message origin;
  origin.at = lsn{in.u64()};
  origin.name = in.text();
  return whole(in, origin);
}

std::optional<replica_identity> to_identity(std::uint8_t sent) {
  switch (sent) {
    case 'd': return replica_identity::primary_key;
    case 'n': return replica_identity::nothing;
    case 'f': return replica_identity::full;
    case 'i': return replica_identity::index;
    default: return std::nullopt;
  }
}

column decode_column(byte_reader& in) {
  column read;
  read.key = flags(in, 1) != 0;
  read.name = in.text();
  read.type = in.u32();
  read.type_modifier = in.i32();
  return read;
}

result<pgoutput_message> decode_relation(byte_reader in) {
  constexpr std::size_t smallest_column = 1 + 1 + 4 + 4; // flags, empty name, type, modifier
  relation read;
  read.oid = in.u32();
  read.schema = schema_name(in.text());
  read.name = in.text();
  const auto identity = to_identity(in.u8());
  const std::size_t count = in.u16();
  if (!identity || count * smallest_column > in.left())
    return failure(reason::decode_failure);
  read.identity = *identity;
  read.columns.reserve(count);
  while (read.columns.size() < count && !in.failed())
    read.columns.push_back(decode_column(in));
  return whole(in, std::move(read));
}

result<pgoutput_message> decode_type(byte_reader in) {
  type_message type;
  type.oid = in.u32();
  type.schema = schema_name(in.text());
  type.name = in.text();
  return whole(in, type);
}

result<pgoutput_message> decode_logical_message(byte_reader in) {
  logical_message message;
  message.transactional = flags(in, 1) != 0;
  message.at = lsn{in.u64()};
  message.prefix = in.text();
  message.content = in.bytes(in.u32());
  return whole(in, message);
}

result<pgoutput_message> decode_stream_start(byte_reader in) {
  stream_start_message start;
  start.xid = in.u32();
  start.first_segment = flags(in, 1) != 0;
  return whole(in, start);
}

result<pgoutput_message> decode_stream_commit(byte_reader in) {
  stream_commit_message commit;
  commit.xid = in.u32();
  static_cast<void>(flags(in, 0));
  commit.commit_lsn = lsn{in.u64()};
  commit.end_lsn = lsn{in.u64()};
  commit.commit_time = {in.i64()};
  return whole(in, commit);
}

result<pgoutput_message> decode_stream_abort(byte_reader in) {
  stream_abort_message abort;
  abort.xid = in.u32();
  abort.subxid = in.u32();
  return whole(in, abort);
}

/// Those of which a segment tells the (sub)transaction.
bool names_transaction(char tag) {
  return std::string_view{"IUDTRYM"}.find(tag) != std::string_view::npos;
}

/// Reads a tuple behind the first `used` cells, which are kept. @returns its number of cells.
std::size_t append_tuple(byte_reader& in, std::vector<cell>& cells, std::size_t used) {
  const std::size_t count = in.u16();
  if (count > in.left()) { // a cell takes at least its tag
    in.fail();
    return 0;
  }
  if (cells.size() < used + count)
    cells.resize(used + count);
  auto* out = cells.data() + used;
  for (const auto* const end = out + count; out != end; ++out) {
    switch (in.u8()) {
      case 'n': *out = {cell_kind::null, {}}; break;
      case 'u': *out = {cell_kind::unchanged, {}}; break;
      case 't': *out = {cell_kind::text, in.bytes(in.u32())}; break;
      case 'b': *out = {cell_kind::binary, in.bytes(in.u32())}; break;
      default: in.fail(); return 0;
    }
  }
  return count;
}

} // namespace

result<wire_message> unwrap(std::string_view payload, bool in_segment) {
  byte_reader in{payload};
  wire_message message;
  message.tag = static_cast<char>(in.u8());
  if (in_segment && names_transaction(message.tag))
    message.xid = in.u32();
  message.body = in.rest();
  if (in.failed())
    return failure(reason::decode_failure);
  return message;
}

result<pgoutput_message> pgoutput_decoder::decode(const wire_message& message) {
  if (message.is_row()) {
    const auto row = decode_row(message);
    if (!row)
      return failure(row.error());
    return pgoutput_message{*row};
  }
  const byte_reader in{message.body};
  switch (message.tag) {
    case 'B': return decode_begin(in);
    case 'C': return decode_commit(in);
    case 'O': return decode_origin(in);
    case 'R': return decode_relation(in);
    case 'Y': return decode_type(in);
    case 'T': return decode_truncate(in);
    case 'M': return decode_logical_message(in);
    case 'S': return decode_stream_start(in);
    case 'E': return whole(in, stream_stop_message{});
    case 'c': return decode_stream_commit(in);
    case 'A': return decode_stream_abort(in);
    default: return failure(reason::decode_failure);
  }
}

result<row_message> pgoutput_decoder::decode_row(const wire_message& message) {
  byte_reader in{message.body};
  row_message row;
  row.relation = in.u32();
  auto image = in.u8();
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  switch (message.tag) {
    case 'I': row.op = operation::insert; break;
    case 'U': row.op = operation::update; break;
    case 'D': row.op = operation::remove; break;
    default: return failure(reason::decode_failure);
  }
  if (image == 'K' || image == 'O') { // of an insert too, which then lacks its 'N'
    row.old_kind = image == 'K' ? old_image::key : old_image::full;
    old_count = append_tuple(in, cells_, 0);
    if (row.op == operation::update)
      image = in.u8();
  } else if (row.op == operation::remove) {
    return failure(reason::decode_failure);
  }
  if (row.op != operation::remove) {
    if (image != 'N')
      return failure(reason::decode_failure);
    new_count = append_tuple(in, cells_, old_count);
  }
  if (!in.finished())
    return failure(reason::decode_failure);
  // Only now: the second tuple may have moved the first.
  row.old = tuple{cells_.data(), old_count};
  row.record = tuple{cells_.data() + old_count, new_count};
  return row;
}

result<truncate_options> decode_truncate_options(std::string_view options) {
  constexpr std::uint8_t cascade = 1;
  constexpr std::uint8_t restart_identity = 2;
  byte_reader in{options};
  const auto set = flags(in, cascade | restart_identity);
  if (!in.finished())
    return failure(reason::decode_failure);
  return truncate_options{(set & cascade) != 0, (set & restart_identity) != 0};
}

result<pgoutput_message> pgoutput_decoder::decode_truncate(byte_reader in) {
  const std::size_t count = in.u32();
  const auto options = in.bytes(1);
  const auto how = decode_truncate_options(options);
  if (!how || in.left() != count * sizeof(std::uint32_t))
    return failure(reason::decode_failure);
  oids_.resize(count);
  for (auto& oid : oids_)
    oid = in.u32();
  return whole(in, truncate_message{.how = *how, .options = options, .relations = oids_});
}

} // namespace replicant
