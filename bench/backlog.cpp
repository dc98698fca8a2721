// SPDX-License-Identifier: MIT
#include "replicant/bench/backlog.hpp"

#include "replicant/core/protocol/pgoutput.hpp"
#include "replicant/tests/support/fixture_file.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace replicant::bench {

namespace {

bool is_data(const std::string& frame) {
  return frame.starts_with('w');
}

bool is_row(const std::string& frame) {
  return unwrap(payload_of(frame), false).value().is_row();
}

/// Repeats the run of rows of a transaction that has many.
std::vector<std::string> stretched(std::vector<std::string> frames, std::size_t rows) {
  const auto first = std::ranges::find_if(frames, is_row);
  const auto last = std::find_if_not(first, frames.end(), is_row);
  const std::vector<std::string> run(first, last);
  if (run.size() < 2)
    return frames;
  std::vector<std::string> longer;
  for (auto have = run.size(); have < rows; have += run.size())
    std::ranges::copy(run, std::back_inserter(longer));
  frames.insert(last, longer.begin(), longer.end());
  return frames;
}

std::vector<std::shared_ptr<const chunk>> cut(const std::vector<std::string>& frames) {
  std::vector<std::shared_ptr<const chunk>> chunks;
  auto current = std::make_shared<chunk>();
  for (const auto& frame : frames) {
    current->append(frame);
    if (current->full())
      chunks.push_back(std::exchange(current, std::make_shared<chunk>()));
  }
  chunks.push_back(std::move(current));
  return chunks;
}

} // namespace

backlog load_backlog(std::string_view name, std::size_t rows) {
  auto frames =
    load_frames(std::string{REPLICANT_BENCH_FIXTURES "/"}.append(name).append(".frames"));
  std::erase_if(frames, [](const auto& frame) { return !is_data(frame); });
  backlog made{.frames = stretched(std::move(frames), rows)};
  made.chunks = cut(made.frames);
  made.rows = static_cast<std::size_t>(std::ranges::count_if(made.frames, is_row));
  for (const auto& frame : made.frames)
    made.bytes += frame.size();
  return made;
}

std::vector<transaction> transactions_of(const backlog& source, const open_rules& rules) {
  std::vector<transaction> all;
  stream_assembler fold{watermark{}, false, {}, rules};
  for (const auto& one : source.chunks) {
    auto made = fold.consume(one);
    if (!made)
      throw std::runtime_error{"a recorded backlog cannot be assembled"};
    for (const auto& item : made->items)
      if (const auto* txn = std::get_if<transaction>(&item))
        all.push_back(*txn);
  }
  return all;
}

} // namespace replicant::bench
