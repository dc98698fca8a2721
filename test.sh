#!/usr/bin/env bash
# Builds replicant and runs all checks and tests: test.sh [--servers 14,16,17,18]
# Tests with a server run on Debian's PostgreSQL 15; with --servers those of kind postgres, and some of
# kind crash, also on the versions named, which npm brings into build/servers. A version that cannot
# be had is a failure. Installs the Debian packages that are missing, saying so first. The last line
# is "N passed, N failed"; the exit code is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")" || exit 1

preset=dev
build=build/$preset
kinds=unit,postgres,crash,package,bench # of tests that have to be there
longest_file=400    # lines
jobs=$(nproc)
checks=()
servers=()          # majors besides Debian's
server_results=()   # for the report
# Crash tests that further servers run too: ours dies, theirs does, positions that touch, and what is
# refused for the slot's sake.
crash_sample='SIGKILLs, syncing every commit|restarts of the server|a persisted idle position'
crash_sample+='|streams that spill come out exactly once, whatever|behind our back|slot that .* refused|older copy'

case "${1-} $#" in
  " 0") ;;
  "--servers 2") IFS=, read -ra servers <<<"$2" ;;
  *) echo "usage: test.sh [--servers MAJOR,MAJOR...]" >&2; exit 2 ;;
esac

say() { printf '\n== %s\n' "$*"; }

sources() { git -c safe.directory='*' ls-files "$@"; }

# check NAME COMMAND...: runs a check, which prints what is wrong, and remembers how it went.
check() {
  local name=$1
  shift
  say "$name"
  if "$@"; then
    echo "fine"
    checks+=("$name=passed")
  else
    echo "FAILED"
    checks+=("$name=failed")
  fi
}

format() {
  sources '*.hpp' '*.cpp' | xargs clang-format --dry-run -Werror --style=file
}

file_lengths() {
  # shellcheck disable=SC2046 # no name of ours has a blank
  wc -l $(sources '*.hpp' '*.cpp' | xargs ls 2>/dev/null) |
    awk -v most="$longest_file" '$2 != "total" && $1 > most {print $2 ": " $1 " lines"; bad = 1}
                                 END {exit bad}'
}

# A hidden test of Catch2 runs only when somebody asks for it, so it would be skipped silently.
no_hidden_tests() { ! grep -nE '"[^"]*\[(\.|!hide)[^"]*"' $(sources 'tests/*_test.cpp' 'tests/*test.cpp'); }

configure() {
  cmake --preset "$preset" >"$build.configure.log" 2>&1 || { cat "$build.configure.log"; return 1; }
}

# Ninja's own output is one line that moves; without a terminal only what goes wrong is shown.
compile() {
  if [ -t 1 ]; then
    cmake --build "$build" --parallel "$jobs" "$@"
  else
    echo "what is done now is told in $build.build.log"
    cmake --build "$build" --parallel "$jobs" "$@" >"$build.build.log" 2>&1 ||
      { grep -vE '^\[[0-9]+/[0-9]+\]' "$build.build.log"; return 1; }
  fi
}

headers_alone() { compile --target all_verify_interface_header_sets; }

run_tests() {
  local tests
  ctest --test-dir "$build" --show-only=json-v1 >"$build/tests.json" || return 1
  tests=$(python3 -c 'import json,sys; print(len(json.load(sys.stdin)["tests"]))' <"$build/tests.json")
  echo "$tests tests, $jobs at a time; what fails is shown at once and explained at the end"
  ctest --test-dir "$build" --parallel "$jobs" --no-tests=error \
    --output-junit tests.xml 2>&1 | grep --line-buffered -E '\*\*\*'
  return 0 # How they went is for the report to say.
}

# server MAJOR: brings one and notes in server_programs where it is.
server() {
  server_programs=$(tests/support/servers.sh build/servers "$1")
}

# on_server MAJOR NAME CTEST_OPTION...: runs some of the tests against it.
on_server() {
  local results=$build/tests-$1-$2.xml
  rm -f "$results"
  server_results+=(--server "$1=$results")
  REPLICANT_PG_BIN=$server_programs ctest --test-dir "$build" --parallel "$jobs" --no-tests=error \
    "${@:3}" --output-junit "tests-$1-$2.xml" 2>&1 | grep --line-buffered -E '\*\*\*'
}

run_tests_on() { # MAJOR
  check "server $1" server "$1"
  if [[ ${checks[-1]} == *=passed ]]; then
    say "tests on PostgreSQL $1"
    on_server "$1" postgres -L '^postgres$'
    on_server "$1" crash -L '^crash$' -R "$crash_sample"
  fi
}

report() {
  python3 tests/support/report_tests.py "$build/tests.xml" "$build/tests.json" \
    "$build/test_programs.txt" "$kinds" "${checks[@]}" "${server_results[@]}"
}

say "packages"
groups=(build test)
[ ${#servers[@]} -eq 0 ] || groups+=(servers)
tests/support/packages.sh "${groups[@]}" || exit 1
mkdir -p "$build"
rm -f "$build/tests.xml"
check "format" format
check "include arrows" python3 tests/support/check_includes.py
check "file lengths" file_lengths
check "documents" tests/support/check_docs.sh
check "no hidden tests" no_hidden_tests
check "configure" configure
check "build" compile
check "headers alone" headers_alone
if [[ " ${checks[*]} " == *" build=passed "* ]]; then
  say "tests"
  run_tests
  for major in "${servers[@]}"; do
    [ "$major" = 15 ] || run_tests_on "$major" # Which all of them have run on.
  done
fi
report
