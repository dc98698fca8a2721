// SPDX-License-Identifier: MIT
#include "replicant/tests/config/planted_file.hpp"

#include <toml++/toml.h>

using namespace replicant;
using namespace replicant::test;

namespace {

/// What the library that parses would say.
std::string description_of(const std::string& text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error& error) {
    return std::string{error.description()};
  }
  return {};
}

} // namespace

TEST_CASE("what the parser quotes of a file is not passed on", "[config][unit]") {
  const std::vector<std::string> files{
    secret + " = 1\n" + secret + " = 2\n",
    "password = " + secret + "\n",
    "[" + secret + "]\na = 1\n[" + secret + "]\n",
    "[[pipeline]]\nconninfo = \"host=a\" " + secret + "\n",
    "[[pipeline]]\nconninfo = \"password=" + secret + "\n",
  };
  std::string descriptions;
  for (const auto& text : files) {
    INFO(text);
    const auto description = description_of(text);
    CHECK_FALSE(description.empty());
    descriptions += description;
    refused(text);
  }
  // It does quote, so `refused` had something to look for.
  CHECK(descriptions.find(secret) != std::string::npos);
}

TEST_CASE("a secret in the place of any key or value is not repeated", "[config][unit]") {
  const auto whole = file_parts{}.whole();
  std::size_t refusals = 0;
  const auto try_with = [&](const std::string& text) {
    INFO(text);
    if (const auto loaded = load(text, plain); !loaded) {
      refused(text);
      ++refusals;
    }
  };
  for (std::size_t at = whole.find('\n'); at != std::string::npos; at = whole.find('\n', at + 1)) {
    const auto before = whole.substr(0, at + 1);
    const auto after = whole.substr(at + 1);
    try_with(before + secret + " = \"" + secret + "\"\n" + after);
    try_with(before + "[" + secret + "]\n" + after);
    try_with(before + "snapshot = \"" + secret + "\"\n" + after);
    try_with(before + "password = \"" + secret + "\"\n" + after);
    try_with(before + secret + "\n" + after);
  }
  CHECK(refusals > 30);
}
