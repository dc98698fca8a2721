// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/halt_record.hpp"

#include "replicant/actors/cli/status_document.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace replicant::cli {

bool halt_record::keep(const pipeline_status& halted) const {
  const auto path = file_of(halted.name);
  const auto fresh = path + ".new";
  {
    std::ofstream file{fresh, std::ios::trunc};
    file << status_document({halted}) << '\n';
    if (!file.flush())
      return false;
  }
  std::error_code error;
  std::filesystem::rename(fresh, path, error);
  return !error;
}

void halt_record::forget(const std::string& pipeline) const {
  std::error_code ignored; // A record that stays says what was once true; the run goes on.
  std::filesystem::remove(file_of(pipeline), ignored);
}

std::vector<std::string> halt_record::kept(const std::vector<std::string>& pipelines) const {
  std::vector<std::string> documents;
  for (const auto& name : pipelines) {
    const std::ifstream file{file_of(name)};
    // Of what is no file nothing can be read, and no exception tells of it here.
    if (std::ostringstream text; file && text << file.rdbuf())
      documents.push_back(text.str());
  }
  return documents;
}

std::optional<pipeline_status> halt_record::schema_halt(const std::string& pipeline) const {
  const auto documents = kept({pipeline});
  auto halted = documents.empty() ? std::nullopt : schema_halt_in(documents.front());
  if (halted)
    halted->name = pipeline;
  return halted;
}

std::string halt_record::file_of(const std::string& pipeline) const {
  return folder_ + "/" + pipeline + ".halted";
}

} // namespace replicant::cli
