// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/command_line.hpp"

#include "replicant/actors/cli/command_line_syntax.hpp"

namespace replicant::cli {

tl::expected<request, std::string> parse_command_line(const std::vector<std::string>& arguments) {
  command_line_syntax syntax;
  auto& root = syntax.root();
  try {
    read_arguments(root, arguments);
    return syntax.wanted();
  } catch (const CLI::CallForHelp&) {
    return text_request{root.help()};
  } catch (const CLI::CallForVersion& told) {
    return text_request{std::string{told.what()} + "\n"};
  } catch (const CLI::ParseError& what) {
    return tl::unexpected<std::string>{explain_mistake(root, what, arguments)};
  }
}

command_description describe_command_line() {
  return command_line_syntax{}.describe();
}

} // namespace replicant::cli
