// SPDX-License-Identifier: MIT
// Writes what a real walsender sends for one slot into a fixture file; tests/fixtures/record.sh
// calls it.
#include "replicant/core/model/session_settings.hpp"
#include "replicant/core/protocol/replication_frame.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <libpq-fe.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace replicant;

struct closer {
  void operator()(PGconn* connection) const { PQfinish(connection); }

  void operator()(PGresult* outcome) const { PQclear(outcome); }
};

using connection = std::unique_ptr<PGconn, closer>;

/// The session of a real consumer. The short time-out makes the idle server ask for a reply soon.
connection connect(const std::string& conninfo) {
  std::string options = "-c wal_sender_timeout=2s";
  for (const auto& setting : pinned_settings)
    if (setting.since_version == 0)
      options.append(" -c ").append(setting.name).append("=").append(setting.value);
  const char* const names[] = {"dbname", "replication", "options", nullptr};
  const char* const values[] = {conninfo.c_str(), "database", options.c_str(), nullptr};
  connection opened{PQconnectdbParams(names, values, 1)};
  if (PQstatus(opened.get()) != CONNECTION_OK)
    throw std::runtime_error{PQerrorMessage(opened.get())};
  return opened;
}

/// What to ask of the server, by the name of the form that is recorded.
std::string options_of(const std::string& form) {
  if (form == "text")
    return "proto_version '1'";
  if (form == "binary")
    return "proto_version '1', binary 'true'";
  if (form == "streamed")
    return "proto_version '2', streaming 'on'";
  throw std::runtime_error{"not a form: " + form};
}

void start(PGconn* stream, const std::string& slot, const std::string& publication,
           const std::string& form) {
  const auto command = "START_REPLICATION SLOT \"" + slot + "\" LOGICAL 0/0 (" + options_of(form) +
                       ", messages 'true', publication_names '\"" + publication + "\"')";
  const std::unique_ptr<PGresult, closer> outcome{PQexec(stream, command.c_str())};
  if (PQresultStatus(outcome.get()) != PGRES_COPY_BOTH)
    throw std::runtime_error{PQerrorMessage(stream)};
}

/// Keeps the server alive without confirming anything.
void answer(PGconn* stream) {
  const auto frame = encode(status_update{});
  if (PQputCopyData(stream, frame.data(), static_cast<int>(frame.size())) != 1 ||
      PQflush(stream) != 0)
    throw std::runtime_error{PQerrorMessage(stream)};
}

/// The message outside of transactions by which SQL says that it has done all, while it is
/// recorded.
constexpr std::string_view last_message{"the end"};

bool is_last_message(const replication_frame& frame) {
  const auto* const data = std::get_if<xlog_data>(&frame);
  return data != nullptr && data->payload.starts_with('M') &&
         data->payload.find(last_message) != std::string_view::npos;
}

/// Everything up to the last message or, with an `end`, up to the first request for a reply that
/// comes after the server has reached that.
std::vector<std::string> record(PGconn* stream, std::optional<lsn> end) {
  std::vector<std::string> frames;
  while (true) {
    char* body = nullptr;
    const auto length = PQgetCopyData(stream, &body, 0);
    if (length < 0)
      throw std::runtime_error{PQerrorMessage(stream)};
    frames.emplace_back(body, static_cast<std::size_t>(length));
    PQfreemem(body);
    const auto frame = decode_frame(frames.back());
    if (!end && frame && is_last_message(*frame))
      return frames;
    const auto* const alive = frame ? std::get_if<keepalive>(&*frame) : nullptr;
    if (alive == nullptr || !alive->reply_requested)
      continue;
    if (end && (wal_bytes_between(*end, alive->wal_end) > 0 || alive->wal_end == *end))
      return frames;
    answer(stream);
  }
}

void run(const std::vector<std::string>& arguments) {
  const auto end = parse_lsn(arguments.at(3));
  if (!end && arguments.at(3) != "live")
    throw std::runtime_error{"not a position: " + arguments.at(3)};
  const auto stream = connect(arguments.at(0));
  start(stream.get(), arguments.at(1), arguments.at(2), arguments.at(4));
  const auto frames = record(stream.get(), end);
  std::ofstream file{arguments.at(5), std::ios::binary | std::ios::trunc};
  file << encode_fixture(frames) << std::flush;
  if (!file)
    throw std::runtime_error{"cannot write " + arguments.at(5)};
  std::cout << frames.size() << " frames -> " << arguments.at(5) << '\n';
}

} // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::cerr
      << "usage: record_frames CONNINFO SLOT PUBLICATION END_LSN|live text|binary|streamed FILE\n";
    return EXIT_FAILURE;
  }
  try {
    run({arguments + 1, arguments + count});
    return EXIT_SUCCESS;
  } catch (const std::exception& problem) {
    std::cerr << "record_frames: " << problem.what() << '\n';
    return EXIT_FAILURE;
  }
}
