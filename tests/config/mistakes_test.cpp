// SPDX-License-Identifier: MIT
#include "replicant/tests/config/planted_file.hpp"

#include <array>

using namespace replicant;
using namespace replicant::test;

namespace {

/// A wrong line, in which part of the file, and how the problem begins.
struct mistake {
  std::string file_parts::*part;
  std::string line;
  std::string begins;
};

constexpr auto runtime = &file_parts::runtime;
constexpr auto pipeline = &file_parts::pipeline;
constexpr auto connection = &file_parts::connection;
constexpr auto identity = &file_parts::identity;
constexpr auto sink = &file_parts::sink;

/// The file with `wrong.line` instead of the line of the same key, or as the part's last line; and
/// where that line stands.
std::pair<std::string, std::size_t> with(const mistake& wrong) {
  file_parts file;
  auto& part = file.*wrong.part;
  const auto key = wrong.line.substr(0, wrong.line.find(" = ") + 3);
  const auto old = part.starts_with(key) ? 0 : part.find("\n" + key);
  if (old == std::string::npos) {
    part += wrong.line + "\n";
  } else {
    const auto begin = old == 0 ? 0 : old + 1;
    part.replace(begin, part.find('\n', begin) - begin, wrong.line);
  }
  const auto whole = file.whole();
  const auto before = whole.substr(0, whole.find(wrong.line));
  return {whole, 1 + static_cast<std::size_t>(std::ranges::count(before, '\n'))};
}

void check_each(const std::vector<mistake>& mistakes) {
  for (const auto& wrong : mistakes) {
    INFO(wrong.line);
    const auto [text, line] = with(wrong);
    const auto told = refused(text);
    const auto value_column = wrong.line.find(" = ") + 4;
    CHECK(told.starts_with("file:" + std::to_string(line) + ":" + std::to_string(value_column) +
                           ": " + wrong.begins));
    CHECK(std::ranges::count(told, '\n') == 1);
  }
}

} // namespace

TEST_CASE("a value of the wrong type is told where it stands", "[config][unit]") {
  check_each({
    {runtime, "log_level = 3", "runtime.log_level has the wrong type; an integer stands here"},
    {runtime, "log_format = true", "runtime.log_format has the wrong type; true or false"},
    {runtime, "threads = \"s3cr3t-planted\"", "runtime.threads has the wrong type; a string"},
    {runtime, "threads = 1.5", "runtime.threads has the wrong type; a number with a point"},
    {runtime, "threads = 2020-01-01", "runtime.threads has the wrong type; a number with a point"},
    {runtime, "state_dir = []", "runtime.state_dir has the wrong type; a list"},
    {runtime, "control_socket = {}", "runtime.control_socket has the wrong type; a table"},
    {pipeline, "name = 1", "pipeline.name has the wrong type"},
    {pipeline, "slot_name = 1", "pipeline.slot_name has the wrong type"},
    {pipeline, "publication = 1", "pipeline.publication has the wrong type"},
    {pipeline, "go_forward_only = \"s3cr3t-planted\"", "pipeline.go_forward_only has the wrong"},
    {pipeline, "messages = 1", "pipeline.messages has the wrong type"},
    {pipeline, "max_inflight_lag = true", "pipeline.max_inflight_lag has the wrong type"},
    {pipeline, "max_command_retries = \"5\"", "pipeline.max_command_retries has the wrong type"},
    {connection, "conninfo = [\"s3cr3t-planted\"]", "pipeline.connection.conninfo has the wrong"},
    {identity, "system_identifier = 7378697629483820647",
     "pipeline.source_identity.system_identifier has the wrong type"},
    {identity, "database = false", "pipeline.source_identity.database has the wrong type"},
    {sink, "kind = 1", "pipeline.sink.kind has the wrong type"},
    {sink, "path = 1", "pipeline.sink.path has the wrong type"},
    {sink, "fsync = 1", "pipeline.sink.fsync has the wrong type"},
    {sink, "numeric = 1", "pipeline.sink.numeric has the wrong type"},
    {sink, "rotate = \"1h\"", "pipeline.sink.rotate has the wrong type; a string"},
    {sink, "rotate = {}", "pipeline.sink.rotate is empty"},
    {pipeline, "binary = 1", "pipeline.binary has the wrong type"},
  });
}

TEST_CASE("a value that cannot be is told where it stands", "[config][unit]") {
  const std::string long_name(64, 'x');
  check_each({
    {runtime, "log_level = \"s3cr3t-planted\"", "runtime.log_level is no log level"},
    {runtime, "log_format = \"xml\"", "runtime.log_format is none of its choices"},
    {runtime, "threads = 0", "runtime.threads is out of range; write an integer from 1 to 256"},
    {runtime, "threads = -1", "runtime.threads is out of range"},
    {runtime, "threads = 257", "runtime.threads is out of range"},
    {runtime, "state_dir = \"\"", "runtime.state_dir is empty"},
    {runtime, "control_socket = \"/" + std::string(107, 's') + "\"",
     "runtime.control_socket cannot be the path of a socket"},
    {pipeline, "name = \"\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "name = \"a/s3cr3t-planted\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "name = \"..\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "name = \"" + long_name + "\"", "pipeline.name is no name for a pipeline"},
    {pipeline, "slot_name = \"Shop\"", "pipeline.slot_name is no name for a slot"},
    {pipeline, "slot_name = \"s3cr3t-planted\"", "pipeline.slot_name is no name for a slot"},
    {pipeline, "slot_name = \"" + long_name + "\"", "pipeline.slot_name is no name for a slot"},
    {pipeline, "publication = \"\"", "pipeline.publication is no name for a publication"},
    {pipeline, "publication = \"" + long_name + "\"", "pipeline.publication is no name for a"},
    {pipeline, "publication = []", "pipeline.publication is an empty list"},
    {pipeline, "max_inflight_lag = 0", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = -1", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"32MB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"32 MiB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"1025GiB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"99999999999999GiB\"", "pipeline.max_inflight_lag is no size"},
    {pipeline, "max_inflight_lag = \"99999999999999999999\"", "pipeline.max_inflight_lag is no"},
    {pipeline, "max_command_retries = -1", "pipeline.max_command_retries is out of range"},
    {connection, "conninfo = \"\"", "pipeline.connection.conninfo is empty"},
    {connection, "conninfo = \"s3cr3t-planted\"", "pipeline.connection.conninfo is no connection"},
    {connection, "conninfo = \"host=a\\u0000password=s3cr3t-planted\"",
     "pipeline.connection.conninfo holds a zero byte"},
    {identity, "system_identifier = \"s3cr3t-planted\"",
     "pipeline.source_identity.system_identifier is no system identifier"},
    {identity, "database = \"\"", "pipeline.source_identity.database is empty"},
    {sink, "kind = \"s3cr3t-planted\"", "pipeline.sink.kind is none of its choices"},
    {sink, "path = \"\"", "pipeline.sink.path is not the path of a file"},
    {sink, "fsync = \"never\"", "pipeline.sink.fsync is none of its choices"},
    {sink, "fsync_interval_ms = 5", "pipeline.sink.fsync_interval_ms has no meaning"},
  });
}

TEST_CASE("an interval is checked and needs fsync by interval", "[config][unit]") {
  file_parts file;
  file.sink += "fsync = \"interval\"\nfsync_interval_ms = 0\n";
  CHECK(refused(file.whole()).starts_with("file:13:21: pipeline.sink.fsync_interval_ms is out of"));
  file_parts other;
  other.sink += "fsync = \"every_commit\"\nfsync_interval_ms = 5\n";
  CHECK(refused(other.whole()).starts_with("file:13:21: pipeline.sink.fsync_interval_ms has no"));
}
