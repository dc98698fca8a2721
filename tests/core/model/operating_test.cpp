// SPDX-License-Identifier: MIT
#include "replicant/core/model/reason.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace replicant;

namespace {

/// One reason of docs/operating.md.
struct section {
  std::string group; ///< The heading above it.
  std::string text;  ///< With its line breaks.
};

std::map<std::string, section> read_sections() {
  std::map<std::string, section> all;
  std::ifstream page{REPLICANT_SOURCE_DIR "/docs/operating.md"};
  std::string group;
  section* current = nullptr;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) {
      group = line.substr(3);
      current = nullptr;
    } else if (line.starts_with("### `")) {
      const auto [place, is_new] = all.try_emplace(line.substr(5, line.size() - 6));
      INFO(line);
      CHECK(is_new);
      current = &place->second;
      current->group = group;
    } else if (current != nullptr) {
      current->text.append(line).append("\n");
    }
  }
  return all;
}

/// What stands between backquotes.
std::vector<std::string> statements(std::string_view explanation) {
  std::vector<std::string> found;
  while (true) {
    const auto begin = explanation.find('`');
    if (begin == std::string_view::npos)
      return found;
    const auto end = explanation.find('`', begin + 1);
    REQUIRE(end != std::string_view::npos);
    found.emplace_back(explanation.substr(begin + 1, end - begin - 1));
    explanation.remove_prefix(end + 1);
  }
}

std::string heading(disposition what) {
  switch (what) {
    case disposition::retry: return "Tried again for ever";
    case disposition::wait_active: return "Waits, then halts";
    case disposition::budget: return "Tried a few times, then halts";
    case disposition::halt: break;
  }
  return "Halts at once";
}

} // namespace

TEST_CASE("every reason has its section, under what is done about it", "[model][unit]") {
  const auto sections = read_sections();
  CHECK(sections.size() == reason_count);
  for (auto number = std::uint8_t{1}; number <= reason_count; ++number) {
    const auto why = static_cast<reason>(number);
    INFO(to_string(why));
    const auto found = sections.find(std::string{to_string(why)});
    REQUIRE(found != sections.end());
    CHECK(found->second.group.starts_with(heading(disposition_of(why))));
    for (const auto* part : {"**What happened.**", "**What is safe.**", "**What to do.**"})
      CHECK(found->second.text.find(part) != std::string::npos);
  }
}

TEST_CASE("the statements that the program prints are those of the page", "[model][unit]") {
  const auto sections = read_sections();
  std::size_t count = 0;
  for (auto number = std::uint8_t{1}; number <= reason_count; ++number) {
    const auto why = static_cast<reason>(number);
    INFO(to_string(why));
    for (const auto& statement : statements(explain(why))) {
      INFO(statement);
      CHECK(sections.at(std::string{to_string(why)}).text.find(statement) != std::string::npos);
      ++count;
    }
  }
  CHECK(count > 20);
}
