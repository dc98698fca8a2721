// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/accepted_changes.hpp"

#include "replicant/actors/cli/durable_file.hpp"
#include "replicant/core/model/schema_change.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>

namespace replicant::cli {

tl::expected<std::vector<std::uint64_t>, int>
accepted_changes::read(const std::string& pipeline) const {
  std::vector<std::uint64_t> found;
  errno = 0;
  std::ifstream file{file_of(pipeline)};
  if (!file && errno == ENOENT)
    return found;
  if (!file)
    return tl::unexpected{errno};
  for (std::string line; std::getline(file, line);) {
    const auto fingerprint = parse_fingerprint(line);
    if (!fingerprint)
      return tl::unexpected{EBADMSG};
    found.push_back(*fingerprint);
  }
  return file.eof() ? tl::expected<std::vector<std::uint64_t>, int>{found} : tl::unexpected{EIO};
}

int accepted_changes::add(const std::string& pipeline, std::uint64_t fingerprint) const {
  auto all = read(pipeline);
  if (!all)
    return all.error();
  if (std::ranges::find(*all, fingerprint) == all->end())
    all->push_back(fingerprint);
  std::string text;
  for (const auto one : *all)
    text.append(fingerprint_text(one)).append("\n");
  return replace_durably(file_of(pipeline), text);
}

std::string accepted_changes::file_of(const std::string& pipeline) const {
  return folder_ + "/" + pipeline + ".accepted";
}

} // namespace replicant::cli
