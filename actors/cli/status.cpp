// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/commands.hpp"
#include "replicant/actors/cli/configuration.hpp"
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/actors/cli/halt_record.hpp"
#include "replicant/actors/cli/status_document.hpp"
#include "replicant/actors/cli/status_table.hpp"

#include <algorithm>
#include <iostream>

namespace replicant::cli {

namespace {

void print(const std::string& document, output_format format) {
  if (format == output_format::text)
    std::cout << status_table(document);
  else
    std::cout << document << (document.ends_with('\n') ? "" : "\n");
}

/// Whether what runs has been started with another file that leads to the same socket. One that has
/// no pipeline yet is about to have some.
bool is_foreign(std::string_view document, const settings& loaded) {
  const auto there = pipeline_names(document);
  const auto ours = names_of(loaded);
  return !there.empty() && std::ranges::find_first_of(there, ours) == there.end();
}

/// Nobody answers: what is known of earlier halts is the status.
exit_code tell_kept(const settings& loaded, output_format format) {
  const auto document =
    join_documents(halt_record{loaded.runtime.state_dir}.kept(names_of(loaded)));
  std::cerr << "replicant: nothing is running at " << loaded.runtime.control_socket
            << "; start it with replicant run\n";
  if (judge(document) != verdict::halted)
    return exit_code::unavailable;
  print(document, format);
  return exit_code::needs_person;
}

} // namespace

exit_code status(const status_request& asked) {
  const auto loaded = read_configuration(asked.file, purpose::asking);
  if (!loaded)
    return exit_code::wrong_input;
  const auto& path = loaded->runtime.control_socket;
  const auto document = ask_status(path);
  if (!document && nobody_listens(document.error()))
    return tell_kept(*loaded, asked.format);
  if (!document) {
    std::cerr << "replicant: " << explain_no_answer(path, document.error()) << '\n';
    return exit_code::unavailable;
  }
  const auto judged = judge(*document);
  if (judged == verdict::unreadable) {
    std::cerr << "replicant: what listens at " << path
              << " is not replicant; name another path in runtime.control_socket\n";
    return exit_code::unavailable;
  }
  if (is_foreign(*document, *loaded)) {
    std::cerr << "replicant: what runs at " << path
              << " has none of this file's pipelines: it runs another configuration with the same "
                 "state_dir or control_socket; give each its own\n";
    return exit_code::unavailable;
  }
  print(*document, asked.format);
  return judged == verdict::halted ? exit_code::needs_person : exit_code::fine;
}

} // namespace replicant::cli
