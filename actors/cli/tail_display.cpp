// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tail_display.hpp"

#include "replicant/actors/cli/terminal.hpp"
#include "replicant/actors/postgres/table_catalog.hpp"
#include "replicant/actors/postgres/type_catalog.hpp"
#include "replicant/actors/sinks/tail/json_format.hpp"
#include "replicant/actors/sinks/tail/text_format.hpp"
#include "replicant/config/load.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace replicant::cli {

namespace {

int write_out(std::string_view text) {
  while (!text.empty()) {
    const auto put = ::write(STDOUT_FILENO, text.data(), text.size());
    if (put < 0 && errno != EINTR)
      return errno;
    if (put > 0)
      text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

bool wants_colours(colour_choice choice, const environment& lookup) {
  switch (choice) {
    case colour_choice::always: return true;
    case colour_choice::never: return false;
    case colour_choice::automatic: break;
  }
  return is_terminal(STDOUT_FILENO) && !declines_colours(lookup);
}

std::unique_ptr<tail_format> text_for_people(const tail_request& asked,
                                             const postgres::interrupt_flag& leaving) {
  const auto lookup = process_environment();
  auto style = [characters = charset_of(lookup), coloured = wants_colours(asked.colour, lookup)] {
    return text_style{
      .characters = characters, .coloured = coloured, .width = terminal_width(STDOUT_FILENO)};
  };
  auto primary_key = [catalog = std::make_shared<postgres::table_catalog>(asked.conninfo, leaving)](
                       std::uint32_t table) {
    return catalog->primary_key(table).value_or(std::vector<std::string>{});
  };
  return std::make_unique<text_format>(std::move(style), std::move(primary_key));
}

std::unique_ptr<tail_format> lines_for_programs(const tail_request& asked,
                                                const postgres::interrupt_flag& leaving) {
  return std::make_unique<json_format>(
    line_options{.catalog = std::make_shared<postgres::type_catalog>(asked.conninfo, &leaving)});
}

} // namespace

std::shared_ptr<tail_view> make_view(const tail_request& asked,
                                     const postgres::interrupt_flag& leaving,
                                     std::function<void()> over) {
  return std::make_shared<tail_view>(tail_setup{.tables = table_choice{asked.tables},
                                                .most = asked.most_changes,
                                                .format = asked.format == output_format::json
                                                            ? lines_for_programs(asked, leaving)
                                                            : text_for_people(asked, leaving),
                                                .write = write_out,
                                                .over = std::move(over)});
}

} // namespace replicant::cli
