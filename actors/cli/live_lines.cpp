// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/live_lines.hpp"

#include "replicant/actors/cli/terminal.hpp"
#include "replicant/actors/files/descriptor.hpp"

#include <algorithm>

namespace replicant::cli {

std::size_t visible_width(std::string_view line) {
  std::size_t width = 0;
  for (bool inside = false; const auto c : line) {
    if (c == '\x1b')
      inside = true;
    else if (inside)
      inside = c != 'm';
    else
      ++width;
  }
  return width;
}

live_lines::~live_lines() {
  send(erasing());
}

void live_lines::write(std::string_view text) {
  const std::lock_guard lock{mutex_};
  send(erasing().append(text).append(drawing()));
}

void live_lines::show(std::vector<std::string> lines) {
  const std::lock_guard lock{mutex_};
  // One line stays for the cursor.
  const auto height = std::max<std::size_t>(terminal_height(terminal_), 2);
  lines.resize(std::min(lines.size(), height - 1));
  auto text = erasing();
  lines_ = std::move(lines);
  send(text.append(drawing()));
}

std::string live_lines::erasing() const {
  if (lines_.empty())
    return {};
  // A terminal that has become narrower has broken them.
  const auto width = std::max<std::size_t>(terminal_width(terminal_), 1);
  std::size_t rows = 0;
  for (const auto& line : lines_)
    rows += std::max<std::size_t>((visible_width(line) + width - 1) / width, 1);
  return "\x1b[" + std::to_string(rows) + "A\r\x1b[J";
}

std::string live_lines::drawing() const {
  std::string text;
  for (const auto& line : lines_)
    text.append(line).append("\n");
  return text;
}

void live_lines::send(std::string_view bytes) const {
  // When the terminal has gone, nobody is left to look.
  static_cast<void>(write_all(terminal_, bytes));
}

} // namespace replicant::cli
