// SPDX-License-Identifier: MIT
#include "replicant/actors/cli/control_question.hpp"
#include "replicant/tests/cli/invocation.hpp"
#include "replicant/tests/support/child_process.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

using namespace replicant::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using replicant::test::wait_until;

namespace {

const std::string planted = "s3cr3t-planted";

/// A right configuration of a server that never answers.
std::string configuration(const temp_dir& folder) {
  return "[runtime]\nstate_dir = \"" + (folder / "state") +
         "\"\n[[pipeline]]\nname = \"shop\"\nslot_name = \"shop\"\npublication = \"p\"\n"
         "connection = { conninfo = \"host=" +
         (folder / "nowhere") + " user=u password=" + planted +
         "\" }\nsink = { kind = \"null\" }\n";
}

/// Starts the program and waits until it answers.
void await_answer(const temp_dir& folder) {
  REQUIRE(wait_until(
    [&] { return replicant::cli::ask_status(folder / "state/control.sock").has_value(); }));
}

/// Runs the program in a shell, with its standard output led there. @returns how it ended.
outcome run_with_output(const std::vector<std::string>& arguments, const std::string& redirection) {
  const temp_dir folder;
  std::vector<std::string> command{"bash", "-c", "\"$0\" \"$@\" " + redirection, program_path()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  child_process shell{command, folder / "log"};
  const auto status = shell.wait(std::chrono::seconds{30});
  REQUIRE(status);
  return {.code = WEXITSTATUS(*status), .out = {}, .err = read_file(folder / "log")};
}

} // namespace

TEST_CASE("a connection string in place of a configuration is not repeated", "[cli][unit]") {
  for (const auto& given : {"host=db1 password=" + planted, "postgres://u:" + planted + "@h/d"})
    for (const auto& command : std::vector<std::vector<std::string>>{{"run"},
                                                                     {"check"},
                                                                     {"status"},
                                                                     {"slot", "list"},
                                                                     {"slot", "drop"},
                                                                     {"checkpoint", "show"}}) {
      auto arguments = command;
      arguments.push_back(given);
      const auto told = run_program(arguments);
      INFO(told.err);
      CHECK(told.code == 2);
      CHECK_THAT(told.err, Contains("replicant tail"));
      CHECK_THAT(told.out + told.err, !Contains(planted));
    }
}

TEST_CASE("every command explains itself", "[cli][unit]") {
  for (const auto* command : {"run", "check", "status"}) {
    const auto told = run_program({command, "--help"});
    CHECK(told.code == 0);
    CHECK_THAT(told.out, Contains("CONFIG"));
    CHECK_THAT(told.out, Contains("Exit codes"));
  }
  CHECK(run_program({"--help"}).code == 0);
  CHECK_THAT(run_program({"--version"}).out, StartsWith("replicant 0."));
}

TEST_CASE("a wrong command line ends with 2", "[cli][unit]") {
  const std::vector<std::vector<std::string>> wrong{{},
                                                    {"fly"},
                                                    {"run"},
                                                    {"check"},
                                                    {"status"},
                                                    {"check", "a", "b"},
                                                    {"run", "a", "--pipeline"},
                                                    {"status", "a", "--format", "xml"},
                                                    {"check", "--nonsense", "a"}};
  for (const auto& arguments : wrong) {
    const auto told = run_program(arguments);
    CHECK(told.code == 2);
    CHECK(told.out.empty());
    CHECK_FALSE(told.err.empty());
  }
}

TEST_CASE("a right configuration is said to be right", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "good.toml", configuration(folder));
  const auto told = run_program({"check", file});
  CHECK(told.code == 0);
  CHECK(told.out == file + ": right, 1 pipeline\n");
  CHECK(told.err.empty());
}

TEST_CASE("a command whose words do not get out ends with 3 and one line", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "good.toml", configuration(folder));
  const std::vector<std::vector<std::string>> commands{
    {"--help"}, {"run", "--help"}, {"--version"}, {"completion", "bash"}, {"man"}, {"check", file}};
  for (const auto& arguments : commands) {
    const auto full = run_with_output(arguments, ">/dev/full");
    CHECK(full.code == 3);
    CHECK_THAT(full.err, StartsWith("replicant: standard output did not take all of it; see "));
    CHECK(std::ranges::count(full.err, '\n') == 1);
    const auto closed = run_with_output(arguments, ">&-");
    CHECK(closed.code == 3);
    CHECK_THAT(closed.err, StartsWith("replicant: standard output is closed; let it lead to "));
    CHECK(std::ranges::count(closed.err, '\n') == 1);
  }
}

TEST_CASE("a sink on standard output is refused when that is closed", "[cli][unit]") {
  const temp_dir folder;
  auto text = configuration(folder);
  const std::string null = "kind = \"null\"";
  text.replace(text.find(null), null.size(), "kind = \"jsonl\", path = \"-\"");
  const auto told = run_with_output({"run", write_in(folder, "out.toml", text)}, ">&-");
  CHECK(told.code == 3);
  CHECK_THAT(told.err, StartsWith("replicant: standard output is closed; "));
  CHECK(std::ranges::count(told.err, '\n') == 1);
}

TEST_CASE("every command refuses a wrong configuration with 2", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "bad.toml", "[runtime]\nthreads = 0\n[[pipeline]]\n");
  for (const auto* command : {"run", "check", "status"}) {
    const auto told = run_program({command, file});
    CHECK(told.code == 2);
    CHECK_THAT(told.err, StartsWith(file + ":2:11: runtime.threads is out of range"));
    CHECK_THAT(told.err, Contains(file + ":3:1: pipeline.name is missing"));
  }
}

TEST_CASE("a configuration that is not there is wrong input", "[cli][unit]") {
  const temp_dir folder;
  const auto file = folder / "missing.toml";
  for (const auto* command : {"run", "check", "status"}) {
    const auto told = run_program({command, file});
    CHECK(told.code == 2);
    CHECK_THAT(told.err, StartsWith(file + ": the file cannot be read"));
  }
}

TEST_CASE("a connection string that libpq refuses is told with what it refuses", "[cli][unit]") {
  const temp_dir folder;
  const auto told = [&folder](const std::string& conninfo) {
    const auto file = write_in(folder, "bad.toml",
                               "[[pipeline]]\nname = \"a\"\nslot_name = \"a\"\n"
                               "publication = \"p\"\nsink = { kind = \"null\" }\n"
                               "[pipeline.connection]\nconninfo = \"" +
                                 conninfo + "\"\n");
    const auto checked = run_program({"check", file});
    CHECK(checked.code == 2);
    CHECK_THAT(checked.err, !Contains(planted));
    const auto begin = file + ":7:12: pipeline.connection.conninfo is refused by libpq: ";
    CHECK_THAT(checked.err, StartsWith(begin));
    return checked.err.substr(std::min(begin.size(), checked.err.size()));
  };
  CHECK_THAT(told("host=a sslmod=" + planted), Contains("write \"sslmode\" if that is meant"));
  CHECK_THAT(told("host=a " + planted + "=x"), StartsWith("it holds a keyword that libpq"));
  CHECK_THAT(told("host=a sslmode=" + planted), StartsWith("sslmode has a value"));
  CHECK_THAT(told("service=" + planted), StartsWith("service names one that no service file"));
}

TEST_CASE("status ends with 3 when nothing is running", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "good.toml", configuration(folder));
  const auto told = run_program({"status", file});
  CHECK(told.code == 3);
  CHECK(told.out.empty());
  CHECK_THAT(told.err,
             Contains("nothing is running") && EndsWith("; start it with replicant run\n"));
}

TEST_CASE("a socket that cannot be asked is told with what to do", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "good.toml", configuration(folder));
  std::filesystem::create_directory(folder / "state");
  std::filesystem::create_symlink("control.sock", folder / "state/control.sock"); // To itself.
  const auto told = run_program({"status", file});
  CHECK(told.code == 3);
  CHECK_THAT(told.err, Contains("no answer at ") &&
                         Contains(": Too many levels of symbolic links; see what"));
  const auto dropping = run_program({"slot", "drop", file, "--yes"});
  CHECK(dropping.code == 1);
  CHECK_THAT(dropping.err, StartsWith("replicant: nothing is changed while a program may run") &&
                             Contains(": Too many levels of symbolic links; see what"));
}

TEST_CASE("a socket of another user is not one on which nobody listens", "[cli][unit]") {
  CHECK(replicant::cli::nobody_listens(ENOENT));
  CHECK(replicant::cli::nobody_listens(ECONNREFUSED));
  CHECK_FALSE(replicant::cli::nobody_listens(EACCES));
  CHECK(replicant::cli::explain_no_answer("/s", EACCES) ==
        "no answer at /s: it belongs to another user; ask as that user, or as root");
}

TEST_CASE("a missing variable stops those who connect, not those who ask", "[cli][unit]") {
  const temp_dir folder;
  auto text = configuration(folder);
  text.replace(text.find(planted), planted.size(), "${REPLICANT_TEST_UNSET}");
  const auto file = write_in(folder, "good.toml", text);
  for (const auto* command : {"run", "check"}) {
    const auto told = run_program({command, file});
    CHECK(told.code == 2);
    CHECK_THAT(told.err, Contains("needs an environment variable that is not set"));
  }
  CHECK(run_program({"status", file}).code == 3);
  CHECK(run_program({"check", file}, {{"REPLICANT_TEST_UNSET", planted}}).code == 0);
}

TEST_CASE("run refuses a pipeline that the configuration does not have", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "good.toml", configuration(folder));
  const auto told = run_program({"run", file, "--pipeline", "other"});
  CHECK(told.code == 2);
  CHECK_THAT(told.err, Contains("no pipeline of the name") && EndsWith("; write one of shop\n"));
  CHECK_THAT(run_program({"run", file, "--pipeline", "shp"}).err,
             EndsWith("; write \"shop\" if that is meant\n"));
}

TEST_CASE("run ends with 3 when its state folder cannot be used", "[cli][unit]") {
  const temp_dir folder;
  write_in(folder, "state", "a file");
  const auto told = run_program({"run", write_in(folder, "good.toml", configuration(folder))});
  CHECK(told.code == 3);
  CHECK_THAT(told.err, Contains("the state folder " + (folder / "state") + " cannot be used: ") &&
                         Contains("; let this user write there, or name another in runtime."));
}

TEST_CASE("run ends with 3 when something else has the socket's name", "[cli][unit]") {
  const temp_dir folder;
  std::filesystem::create_directory(folder / "state");
  write_in(folder, "state/control.sock", "precious");
  const auto told = run_program({"run", write_in(folder, "good.toml", configuration(folder))});
  CHECK(told.code == 3);
  CHECK_THAT(told.err,
             Contains("something else has this name; move that away, or name another path"));
  CHECK(read_file(folder / "state/control.sock") == "precious");
}

TEST_CASE("a running program answers, keeps a second one away, and stops as asked", "[cli][unit]") {
  const temp_dir folder;
  const auto file = write_in(folder, "good.toml", configuration(folder));
  invocation running{folder, {"run", file}};
  await_answer(folder);

  const auto second = run_program({"run", file});
  CHECK(second.code == 3);
  CHECK_THAT(second.err, Contains("another replicant runs this configuration, or another one"));

  const auto table = run_program({"status", file});
  CHECK(table.code == 0);
  CHECK_THAT(table.out, StartsWith("PIPELINE"));
  CHECK_THAT(table.out, Contains("\nshop"));
  const auto document = run_program({"status", file, "--format", "json"});
  CHECK(document.code == 0);
  CHECK_THAT(document.out, Contains("\"name\":\"shop\""));

  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
  CHECK_FALSE(std::filesystem::exists(folder / "state/control.sock"));
  CHECK(run_program({"status", file}).code == 3);
}

TEST_CASE("a program that runs another file at the same socket is not taken for this one's",
          "[cli][unit]") {
  const temp_dir folder;
  auto text = configuration(folder);
  invocation running{folder, {"run", write_in(folder, "good.toml", text)}};
  await_answer(folder);
  REQUIRE(wait_until([&] { return running.err().find("connecting") != std::string::npos; }));
  text.replace(text.find("name = \"shop\""), 13, "name = \"other\"");
  const auto told = run_program({"status", write_in(folder, "other.toml", text)});
  CHECK(told.code == 3);
  CHECK(told.out.empty());
  CHECK_THAT(told.err, Contains("has none of this file's pipelines"));
  running.signal(SIGTERM);
  CHECK(running.wait() == 0);
}

TEST_CASE("a password appears nowhere, though it is there to be found", "[cli][unit]") {
  const temp_dir folder;
  const auto text = configuration(folder);
  REQUIRE_THAT(text, Contains(planted));
  const auto file =
    write_in(folder, "good.toml", "[runtime]\nlog_level = \"trace\"\n" + text.substr(10));
  std::string all;
  {
    invocation running{folder, {"run", file}};
    await_answer(folder);
    REQUIRE(wait_until([&] {
      return running.err().find("server_unavailable") != std::string::npos ||
             running.err().find("connection_lost") != std::string::npos;
    }));
    for (const auto* format : {"text", "json"})
      all += run_program({"status", file, "--format", format}).out;
    running.signal(SIGINT);
    CHECK(running.wait() == 0);
    all += running.out() + running.err();
  }
  all += run_program({"check", file}).out;
  REQUIRE_THAT(all, Contains("shop"));
  CHECK_THAT(all, !Contains(planted));
}
