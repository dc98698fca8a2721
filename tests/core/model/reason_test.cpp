// SPDX-License-Identifier: MIT
#include "replicant/core/model/fault.hpp"
#include "replicant/core/model/reason.hpp"
#include "replicant/core/telemetry/failpoint.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <set>
#include <string>

using namespace replicant;
using Catch::Matchers::Contains;

TEST_CASE("every reason has a name of its own and an explanation", "[model][unit]") {
  std::set<std::string> names;
  for (auto number = std::uint8_t{1}; number <= reason_count; ++number) {
    const auto why = static_cast<reason>(number);
    CHECK(to_string(why) != "unknown");
    CHECK_FALSE(explain(why).empty());
    names.emplace(to_string(why));
  }
  CHECK(names.size() == reason_count);
}

TEST_CASE("every failure point has a name of its own", "[model][unit]") {
  std::set<std::string> names;
  for (auto number = std::uint8_t{0}; number < failpoint_count; ++number)
    names.emplace(to_string(static_cast<failpoint>(number)));
  CHECK(names.size() == failpoint_count);
  CHECK_FALSE(names.contains("unknown"));
}

TEST_CASE("a SQLSTATE is five plain characters or nothing", "[model][unit]") {
  CHECK(sqlstate{"57P01"}.text() == "57P01");
  for (const auto* text : {"", "57P0", "57P011", "57p01", "57P0'", "secre"})
    CHECK_FALSE(sqlstate{text}.known());
}

TEST_CASE("the SQLSTATE decides between coming back, waiting and halting", "[model][unit]") {
  const auto why = [](const char* code) { return reason_of(sqlstate{code}); };
  CHECK(why("") == reason::connection_lost);
  CHECK(why("08006") == reason::server_unavailable);
  CHECK(why("53100") == reason::server_unavailable);
  CHECK(why("57P01") == reason::server_unavailable);
  CHECK(why("57P03") == reason::server_unavailable);
  CHECK(why("53300") == reason::connections_exhausted);
  CHECK(why("53400") == reason::slots_exhausted);
  CHECK(why("55006") == reason::slot_active);
  CHECK(why("28000") == reason::authentication_failed);
  CHECK(why("28P01") == reason::password_wrong);
  CHECK(why("3D000") == reason::database_missing);
  CHECK(why("42501") == reason::permission_denied);
  CHECK(why("42704") == reason::command_failed);
  CHECK(why("XX000") == reason::command_failed);
}

TEST_CASE("a missing object means a publication only where it ends a stream", "[model][unit]") {
  CHECK(stream_end_reason_of(sqlstate{"42704"}) == reason::publication_too_new);
  CHECK(disposition_of(reason::publication_too_new) == disposition::halt);
  for (const auto* code : {"", "57P01", "55006", "22012"})
    CHECK(stream_end_reason_of(sqlstate{code}) == reason_of(sqlstate{code}));
}

TEST_CASE("a number of a reason never changes", "[model][unit]") {
  CHECK(static_cast<int>(reason::decode_failure) == 1);
  CHECK(static_cast<int>(reason::crashed) == 27);
  CHECK(static_cast<int>(reason::pooler_in_front) == 37);
  CHECK(static_cast<int>(reason::binary_unreadable) == 38);
  CHECK(static_cast<int>(reason::publication_too_new) == 39);
  CHECK(to_string(reason::failover_unsupported) == "failover_unsupported");
  CHECK(static_cast<int>(reason::batch_unsupported) == 43);
  CHECK(static_cast<int>(reason::sink_too_slow) == 44);
  CHECK(static_cast<int>(reason::diverged) == 48);
  CHECK(static_cast<int>(reason::slot_two_phase) == 49);
  CHECK(to_string(reason{reason_count + 1}) == "unknown");
  CHECK(disposition_of(reason{}) == disposition::halt);
}

TEST_CASE("a fault is explained by its reason and what its facts add", "[model][unit]") {
  CHECK(explain(fault{.why = reason::data_gap}) == explain(reason::data_gap));
  fault held{.why = reason::slot_active,
             .facts = {fact{fact_kind::process_id, 42},
                       fact{fact_kind::holder, static_cast<std::uint64_t>(slot_holder::unknown)}}};
  CHECK(explain(held).starts_with("another session holds the slot; "));
  held.facts[1].value = static_cast<std::uint64_t>(slot_holder::subscription);
  CHECK(explain(held).starts_with("the apply worker of a subscription holds the slot; "));
  CHECK(to_string(held) == "slot_active pid=42 holder=subscription");
  held.why = reason::server_unavailable;
  CHECK(explain(held) == explain(reason::server_unavailable));
}

TEST_CASE("no fault is explained with the placeholder of a slot's holder", "[model][unit]") {
  CHECK(explain(fault{.why = reason::slot_active}).starts_with("another session holds the slot; "));
  for (auto number = std::uint8_t{1}; number <= reason_count; ++number) {
    const auto text = explain(fault{.why = static_cast<reason>(number)});
    INFO(text);
    CHECK(text.find("<holder>") == std::string::npos);
  }
}

TEST_CASE("a source that is refused is told by what differs, with what to put right",
          "[model][unit]") {
  const auto refused = [](identity_part which) {
    return explain(fault{.why = reason::session_identity_rejected,
                         .facts = {fact{fact_kind::differs, static_cast<std::uint64_t>(which)}}});
  };
  CHECK_THAT(refused(identity_part::system_identifier), Contains("another server"));
  CHECK_THAT(refused(identity_part::database), Contains("correct dbname"));
  CHECK_THAT(refused(identity_part::slot_name), Contains("put the old slot_name back"));
}

TEST_CASE("a sink that failed is told by what the system answered", "[model][unit]") {
  const auto told = [](reason why, int error) {
    return explain(fault{.why = why,
                         .facts = {{{fact_kind::error_number, static_cast<std::uint64_t>(error)},
                                    {fact_kind::file_offset, 7}}}});
  };
  for (const int error : {ENOENT, ENOTDIR})
    CHECK_THAT(told(reason::sink_failed, error), Contains("make the folder"));
  for (const int error : {EACCES, EPERM, EROFS})
    CHECK_THAT(told(reason::sink_failed, error), Contains("may not write there"));
  for (const int error : {ENOSPC, EDQUOT, EFBIG})
    CHECK_THAT(told(reason::sink_failed, error), Contains("no room"));
  CHECK_THAT(told(reason::sink_failed, EISDIR), Contains("is a folder"));
  CHECK_THAT(told(reason::sink_failed, EPIPE), Contains("whoever reads standard output has gone"));
  CHECK(told(reason::sink_failed, EIO) == explain(reason::sink_failed));
  CHECK(told(reason::sink_unreadable, ENOENT) == explain(reason::sink_unreadable));
}

TEST_CASE("a spill file that failed is told by what the system answered", "[model][unit]") {
  const auto told = [](int error) {
    return explain(
      fault{.why = reason::spill_io_failed,
            .facts = {{{fact_kind::error_number, static_cast<std::uint64_t>(error)}, {}}}});
  };
  CHECK_THAT(told(EWOULDBLOCK), Contains("another program still has the folder"));
  CHECK_THAT(told(ENOTDIR), Contains("is no folder"));
  CHECK_THAT(told(EMFILE), Contains("raise the limit"));
  for (const int error : {EACCES, EPERM, EROFS})
    CHECK_THAT(told(error), Contains("the right to write the spill files"));
  for (const int error : {ENOSPC, EDQUOT, EFBIG})
    CHECK_THAT(told(error), Contains("no room for the spill files"));
  for (const int error : {EIO, EISDIR, EPIPE})
    CHECK(told(error) == explain(reason::spill_io_failed));
  const fault damaged{.why = reason::spill_io_failed, .facts = {{{fact_kind::file_offset, 7}, {}}}};
  CHECK_THAT(explain(damaged), Contains("is not what was written"));
}

TEST_CASE("a checkpoint store that failed is told by what it lacks", "[model][unit]") {
  const auto told = [](std::string_view code, reason cause) {
    return explain(fault{.why = reason::checkpoint_store_failed,
                         .code = sqlstate{code},
                         .facts = {{{fact_kind::cause, static_cast<std::uint64_t>(cause)}}}});
  };
  CHECK_THAT(told("25006", reason::checkpoint_store_failed), Contains("standby"));
  CHECK_THAT(told("3F000", reason::checkpoint_store_failed), Contains("`CREATE SCHEMA <schema>;`"));
  CHECK(told("28P01", reason::password_wrong) ==
        "at the checkpoint store: " + std::string{explain(reason::password_wrong)});
  // What was tried again is told by that.
  CHECK(told("", reason::connection_lost) == explain(reason::checkpoint_store_failed));
  CHECK(explain(fault{.why = reason::checkpoint_store_failed}) ==
        explain(reason::checkpoint_store_failed));
}

TEST_CASE("a change of a table is accepted by the command that its fault tells", "[model][unit]") {
  const auto told =
    explain(fault{.why = reason::schema_change_destructive,
                  .facts = {{{fact_kind::schema_change, 3}, {fact_kind::fingerprint, 0xC0FFEE}}}});
  CHECK_THAT(told, Contains("--confirm 0000000000c0ffee` ") && !Contains("<fingerprint>"));
}

TEST_CASE("a fault reads as one line of names and numbers", "[model][unit]") {
  CHECK(to_string(fault{.why = reason::sink_failed}) == "sink_failed");
  CHECK(to_string(fault{
          .why = reason::slot_advanced,
          .at = lsn{0x1A},
          .relation = 7,
          .code = sqlstate{"55000"},
          .facts = {fact{fact_kind::expected_position, 1}, fact{fact_kind::error_number, 28}}}) ==
        "slot_advanced at=0/1A relation=7 sqlstate=55000 expected=0/1 errno=28");
}
