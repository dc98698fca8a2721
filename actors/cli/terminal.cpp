// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace replicant::cli {

namespace {

winsize size_of(int descriptor) {
  winsize size{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): there is no other way to ask.
  return is_terminal(descriptor) && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

} // namespace

charset charset_of(const environment& lookup) {
  // The first of them that is set decides.
  for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    auto locale = lookup(name).value_or(std::string{});
    if (locale.empty())
      continue;
    std::ranges::transform(locale, locale.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto utf8 =
      locale.find(".utf-8") != std::string::npos || locale.find(".utf8") != std::string::npos;
    return utf8 ? charset::utf8 : charset::ascii;
  }
  return charset::ascii;
}

bool is_dumb(const environment& lookup) {
  return lookup("TERM").value_or("dumb") == "dumb";
}

bool declines_colours(const environment& lookup) {
  return !lookup("NO_COLOR").value_or(std::string{}).empty() || is_dumb(lookup);
}

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

std::size_t terminal_width(int descriptor) {
  return size_of(descriptor).ws_col;
}

std::size_t terminal_height(int descriptor) {
  return size_of(descriptor).ws_row;
}

} // namespace replicant::cli
