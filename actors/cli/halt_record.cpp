// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/halt_record.hpp"

#include "replicant/actors/cli/durable_file.hpp"
#include "replicant/actors/cli/status_document.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

namespace replicant::cli {

bool halt_record::keep(const pipeline_status& halted) const {
  return replace_durably(file_of(halted.name), status_document({halted}) + '\n') == 0;
}

void halt_record::forget(const std::string& pipeline) const {
  std::error_code ignored; // A record that stays says what was once true; the run goes on.
  std::filesystem::remove(file_of(pipeline), ignored);
}

std::vector<std::string> halt_record::kept(const std::vector<std::string>& pipelines) const {
  std::vector<std::string> documents;
  for (const auto& name : pipelines)
    if (auto document = read(name); document && *document)
      documents.push_back(std::move(**document));
  return documents;
}

tl::expected<std::optional<pipeline_status>, int>
halt_record::schema_halt(const std::string& pipeline) const {
  const auto document = read(pipeline);
  if (!document)
    return tl::unexpected{document.error()};
  if (!*document)
    return std::nullopt;
  if (judge(**document) != verdict::halted)
    return tl::unexpected{EBADMSG};
  auto halted = schema_halt_in(**document);
  if (halted)
    halted->name = pipeline;
  return halted;
}

tl::expected<std::optional<std::string>, int> halt_record::read(const std::string& pipeline) const {
  errno = 0;
  const std::ifstream file{file_of(pipeline)};
  if (!file && errno == ENOENT)
    return std::nullopt;
  if (!file)
    return tl::unexpected{errno};
  std::ostringstream text;
  // An empty file and a folder have no text either.
  if (!(text << file.rdbuf()))
    return tl::unexpected{EBADMSG};
  return text.str();
}

std::string halt_record::file_of(const std::string& pipeline) const {
  return folder_ + "/" + pipeline + ".halted";
}

std::string unreadable_record(const std::string& path, int error) {
  return "replicant: " + path + " cannot be read: " + std::system_category().message(error) +
         "; it holds why the pipeline halted, so that a change of a table is not taken without "
         "being accepted: restore it, or remove it when the target can take its tables as they "
         "are\n";
}

} // namespace replicant::cli
