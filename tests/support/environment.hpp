// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace replicant::test {

/// The environment of the process without what libpq reads (PG...), and put back afterwards. For
/// tests with one thread.
class environment {
public:
  environment() {
    std::vector<std::string> names;
    for (auto* const* entry = ::environ; *entry != nullptr; ++entry)
      if (const std::string text{*entry}; text.starts_with("PG"))
        names.push_back(text.substr(0, text.find('=')));
    for (const auto& name : names)
      unset(name);
  }

  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  ~environment() {
    for (const auto& [name, value] : before_)
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
  }

  void set(const std::string& name, const std::string& value) {
    remember(name);
    ::setenv(name.c_str(), value.c_str(), 1);
  }

  void unset(const std::string& name) {
    remember(name);
    ::unsetenv(name.c_str());
  }

private:
  void remember(const std::string& name) {
    const auto* const value = std::getenv(name.c_str());
    before_.try_emplace(name, value == nullptr ? std::nullopt : std::optional<std::string>{value});
  }

  std::map<std::string, std::optional<std::string>> before_;
};

/// A number from the environment, for sizes that only a run by hand has time for.
[[nodiscard]] inline std::uint64_t number_from_environment(const char* name,
                                                           std::uint64_t otherwise) {
  const auto* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

} // namespace replicant::test
