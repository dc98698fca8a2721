// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/tail_display.hpp"

#include "replicant/actors/cli/terminal.hpp"
#include "replicant/actors/files/descriptor.hpp"
#include "replicant/actors/postgres/table_catalog.hpp"
#include "replicant/actors/postgres/type_catalog.hpp"
#include "replicant/actors/sinks/tail/json_format.hpp"
#include "replicant/actors/sinks/tail/text_format.hpp"
#include "replicant/config/load.hpp"

#include <unistd.h>

#include <utility>

namespace replicant::cli {

namespace {

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
    auto key = catalog->primary_key(table);
    return key ? std::optional{std::move(*key)} : std::nullopt;
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
  return std::make_shared<tail_view>(
    tail_setup{.tables = table_choice{asked.tables},
               .most = asked.most_changes,
               .format = asked.format == output_format::json ? lines_for_programs(asked, leaving)
                                                             : text_for_people(asked, leaving),
               .write = [](std::string_view text) { return write_all(STDOUT_FILENO, text); },
               .over = std::move(over)});
}

} // namespace replicant::cli
