#!/usr/bin/env bash
# Builds replicant and runs all checks and tests. Installs the Debian packages that are missing,
# saying so first. The last line is "N passed, N failed"; the exit code is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")" || exit 1

preset=dev
build=build/$preset
kinds=unit,postgres,crash,package,bench # of tests that have to be there
longest_file=400    # lines
jobs=$(nproc)
checks=()

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

report() {
  python3 tests/support/report_tests.py "$build/tests.xml" "$build/tests.json" \
    "$build/test_programs.txt" "$kinds" "${checks[@]}"
}

say "packages"
tests/support/packages.sh build test || exit 1
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
fi
report
