// SPDX-License-Identifier: MIT
#include "replicant/tests/cli/screen.hpp"

#include <algorithm>

namespace replicant::test {

void screen::feed(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes.substr(i).starts_with("\x1b[")) {
      const auto end = bytes.find_first_not_of("0123456789;?", i + 2);
      if (end == std::string_view::npos)
        return;
      obey(bytes.substr(i + 2, end - i - 2), bytes[end]);
      i = end;
    } else {
      put(bytes[i]);
    }
  }
}

void screen::put(char c) {
  if (c == '\r') {
    column_ = 0;
  } else if (c == '\n') {
    line_feed();
  } else if (c < ' ') {
    ++strange_;
  } else {
    if (column_ == width_) {
      column_ = 0;
      line_feed();
    }
    auto& row = rows_[row_];
    row.resize(std::max(row.size(), column_ + 1), ' ');
    row[column_++] = c;
  }
}

void screen::line_feed() {
  if (++row_ < rows_.size())
    return;
  gone_.push_back(rows_.front());
  std::rotate(rows_.begin(), rows_.begin() + 1, rows_.end());
  rows_.back().clear();
  --row_;
}

void screen::obey(std::string_view parameters, char command) {
  if (command == 'A') {
    row_ -= std::min<std::size_t>(row_, std::stoul(std::string{parameters}));
  } else if (command == 'J' && parameters.empty()) {
    rows_[row_].resize(std::min(rows_[row_].size(), column_));
    for (auto below = row_ + 1; below < rows_.size(); ++below)
      rows_[below].clear();
  } else if (command != 'm') {
    ++strange_;
  }
}

std::vector<std::string> screen::lines() const {
  auto all = gone_;
  all.insert(all.end(), rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(row_) + 1);
  for (auto& line : all)
    line.resize(line.find_last_not_of(' ') + 1);
  return all;
}

} // namespace replicant::test
