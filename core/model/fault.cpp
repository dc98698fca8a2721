// SPDX-License-Identifier: MIT
#include "replicant/core/model/fault.hpp"

#include "replicant/core/model/schema_change.hpp"
#include "replicant/core/model/session_settings.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>

namespace replicant {

namespace {

std::string_view name_of(slot_holder who) {
  switch (who) {
    case slot_holder::unknown: break;
    case slot_holder::replicant: return "replicant";
    case slot_holder::pg_recvlogical: return "pg_recvlogical";
    case slot_holder::subscription: return "subscription";
    case slot_holder::other_client: return "other_client";
  }
  return "unknown";
}

/// As the subject of a sentence.
std::string_view subject_of(slot_holder who) {
  switch (who) {
    case slot_holder::unknown: break;
    case slot_holder::replicant: return "another replicant";
    case slot_holder::pg_recvlogical: return "pg_recvlogical";
    case slot_holder::subscription: return "the apply worker of a subscription";
    case slot_holder::other_client: return "another client";
  }
  return "another session";
}

std::string_view name_of(identity_part which) {
  switch (which) {
    case identity_part::system_identifier: return "system_identifier";
    case identity_part::database: return "database";
    case identity_part::slot_name: return "slot_name";
  }
  return "unknown";
}

std::string_view name_of(invalidation_cause cause) {
  switch (cause) {
    case invalidation_cause::unknown: break;
    case invalidation_cause::conflict: return "conflict";
    case invalidation_cause::rows_removed: return "rows_removed";
    case invalidation_cause::wal_level_insufficient: return "wal_level_insufficient";
    case invalidation_cause::idle_timeout: return "idle_timeout";
  }
  return "unknown";
}

/// Why a source was refused, and what to do, when it is known what differs.
std::string_view explanation_of(identity_part which) {
  switch (which) {
    case identity_part::system_identifier:
      return "this is another server than the one that the sink was filled from or that "
             "[pipeline.source_identity] demands; correct host and port, or after an upgrade or a "
             "restore see what `replicant checkpoint adopt <config>` tells";
    case identity_part::database:
      return "this is another database than the one that the sink was filled from or that "
             "[pipeline.source_identity] demands; correct dbname";
    case identity_part::slot_name:
      return "the sink was filled from another slot; put the old slot_name back, or choose another "
             "target";
  }
  return explain(reason::session_identity_rejected);
}

/// The text with `by` in the place of `placeholder`, which has to be in it.
std::string replaced(std::string_view text, std::string_view placeholder, std::string_view by) {
  std::string whole{text};
  return whole.replace(whole.find(placeholder), placeholder.size(), by);
}

/// Why a file failed, and what to do, when the system's answer tells; empty when it does not.
std::string explanation_of(std::uint64_t error_number, std::string_view file) {
  switch (error_number) {
    case EACCES:
    case EPERM:
    case EROFS:
      return replaced("this user may not write there; give it the right to write <file> and its "
                      "folder, or choose another path",
                      "<file>", file);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return replaced("there is no room for <file>; make some (disk, quota, limit of file sizes) "
                      "and run again",
                      "<file>", file);
    default: return {};
  }
}

/// As above, of a sink.
std::string explanation_of_sink(std::uint64_t error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return "the folder of the sink's path does not exist, or the file was removed while it was "
             "written; make the folder, or correct the path, and run again";
    case EISDIR: return "the sink's path is a folder; write the path of a file";
    case EPIPE:
      return "whoever reads standard output has gone; what it has not read comes again when both "
             "are started anew";
    default: return explanation_of(error_number, "the sink's file");
  }
}

/// As above, of a spill file.
std::string explanation_of_spill(std::uint64_t error_number) {
  switch (error_number) {
    case ENOTDIR:
      return "`dir` of [pipeline.streaming.spill] leads through something that is no folder; "
             "correct it and run again";
    case EMFILE:
    case ENFILE:
      return "a spill file could not be opened beside all that are open; raise the limit "
             "(LimitNOFILE of the service, or ulimit -n) and run again";
    case EWOULDBLOCK:
      return "another program still has the folder for the spill files of this slot; stop it, or "
             "choose another `dir` in [pipeline.streaming.spill], and run again";
    default: return explanation_of(error_number, "the spill files");
  }
}

void append(std::string& line, std::string_view name, std::string_view value) {
  line.append(" ").append(name).append("=").append(value);
}

void append(std::string& line, const fact& one) {
  switch (one.kind) {
    case fact_kind::none: break;
    case fact_kind::expected_position: append(line, "expected", to_string(lsn{one.value})); break;
    case fact_kind::found_position: append(line, "found", to_string(lsn{one.value})); break;
    case fact_kind::process_id: append(line, "pid", std::to_string(one.value)); break;
    case fact_kind::error_number: append(line, "errno", std::to_string(one.value)); break;
    case fact_kind::setting: append(line, "setting", pinned_setting_name(one.value)); break;
    case fact_kind::server_version:
      append(line, "server_version_num", std::to_string(one.value));
      break;
    case fact_kind::file_offset: append(line, "offset", std::to_string(one.value)); break;
    case fact_kind::silence: append(line, "silent_ms", std::to_string(one.value)); break;
    case fact_kind::holder:
      append(line, "holder", name_of(static_cast<slot_holder>(one.value)));
      break;
    case fact_kind::differs:
      append(line, "differs", name_of(static_cast<identity_part>(one.value)));
      break;
    case fact_kind::schema_change:
      append(line, "change", to_string(static_cast<schema_change_kind>(one.value)));
      break;
    case fact_kind::fingerprint: append(line, "fingerprint", fingerprint_text(one.value)); break;
    case fact_kind::cause: append(line, "cause", to_string(static_cast<reason>(one.value))); break;
    case fact_kind::invalidation:
      append(line, "invalidation", name_of(static_cast<invalidation_cause>(one.value)));
      break;
    case fact_kind::expected_timeline:
      append(line, "expected_timeline", std::to_string(one.value));
      break;
    case fact_kind::found_timeline:
      append(line, "found_timeline", std::to_string(one.value));
      break;
    case fact_kind::transaction_id: append(line, "xid", std::to_string(one.value)); break;
    case fact_kind::limit: append(line, "limit", std::to_string(one.value)); break;
  }
}

/// Why a checkpoint store failed, and what to do: its own reasons, or those of a part of ours.
std::string explanation_of_store(const fault& what) {
  // read_only_sql_transaction
  if (what.code.text() == "25006")
    return "the server of the checkpoint store cannot be written: it is a standby, or read-only; "
           "connect to its primary, with several hosts by target_session_attrs=read-write";
  // invalid_schema_name
  if (what.code.text() == "3F000")
    return "the schema of the checkpoint store's table does not exist; make it with `CREATE SCHEMA "
           "<schema>;`, or correct `table`";
  const auto cause = static_cast<reason>(find_fact(what, fact_kind::cause).value_or(0));
  // What is not tried again has a cure of its own.
  if (find_fact(what, fact_kind::cause) && disposition_of(cause) == disposition::halt)
    return std::string{"at the checkpoint store: "}.append(explain(cause));
  return std::string{explain(what.why)};
}

constexpr const char* damaged_spill =
  "a spill file is not what was written into it: somebody has changed it, or its disk fails; "
  "nothing is lost, the server sends the transaction again; see to the disk, or choose another "
  "`dir` in [pipeline.streaming.spill], and run again";

/// A place in a file, and no call of the system that has failed there.
bool is_damage(const fault& what) {
  return find_fact(what, fact_kind::file_offset) && !find_fact(what, fact_kind::error_number);
}

/// What the fault's errno tells, in the words of `explanation`; else what is known of its reason.
std::string by_error_number(const fault& what, std::string (*explanation)(std::uint64_t)) {
  const auto number = find_fact(what, fact_kind::error_number);
  auto told = number ? explanation(*number) : std::string{};
  return told.empty() ? std::string{explain(what.why)} : told;
}

} // namespace

std::optional<std::uint64_t> find_fact(const fault& what, fact_kind kind) {
  const auto* const found = std::ranges::find(what.facts, kind, &fact::kind);
  return found == what.facts.end() ? std::nullopt : std::optional{found->value};
}

std::string to_string(const fault& what) {
  std::string line{to_string(what.why)};
  if (what.at != lsn{})
    append(line, "at", to_string(what.at));
  if (what.relation != 0)
    append(line, "relation", std::to_string(what.relation));
  if (what.code.known())
    append(line, "sqlstate", what.code.text());
  for (const auto& one : what.facts)
    append(line, one);
  return line;
}

std::string explain(const fault& what) {
  const std::string text{explain(what.why)};
  switch (what.why) {
    case reason::slot_active:
      return replaced(
        text, "<holder>",
        subject_of(static_cast<slot_holder>(find_fact(what, fact_kind::holder).value_or(0))));
    case reason::session_identity_rejected:
      if (const auto differs = find_fact(what, fact_kind::differs))
        return std::string{explanation_of(static_cast<identity_part>(*differs))};
      return text;
    case reason::sink_failed: return by_error_number(what, explanation_of_sink);
    case reason::spill_io_failed:
      return is_damage(what) ? damaged_spill : by_error_number(what, explanation_of_spill);
    case reason::checkpoint_store_failed: return explanation_of_store(what);
    case reason::schema_change_destructive:
      if (const auto print = find_fact(what, fact_kind::fingerprint))
        return replaced(text, "<fingerprint>", fingerprint_text(*print)); // As it can be typed.
      return text;
    default: return text;
  }
}

} // namespace replicant
