#!/usr/bin/env bash
# Every test that docs/invariants.md and docs/traps.md name exists, no trap is left out, and every relative link of the documents leads somewhere.
set -euo pipefail
cd "$(dirname "$0")/../.."

failed=0
complain() { echo "$1" >&2; failed=1; }

# tests_exist FILE LEAST: those that it names, one a line, on standard input.
tests_exist() {
  local names
  mapfile -t names
  [ "${#names[@]}" -ge "$2" ] || complain "$1: too few tests are named"
  for name in "${names[@]}"; do
    grep -rqF "TEST_CASE(\"$name\"" tests || complain "$1 names a test that is not there: $name"
  done
}
tests_exist docs/invariants.md 20 < <(sed -n 's/^ *- `\(.*\)`$/\1/p' docs/invariants.md)

# A row is: number, trap, what keeps it away. In the last column what has spaces in it is a test.
traps=$(sed -n 's/^| \([0-9]\+\) | .* | \(.*\) |$/\1 \2/p' docs/traps.md)
[ "$(cut -d' ' -f1 <<<"$traps")" = "$(seq 145)" ] || complain "docs/traps.md: not the numbers 1 to 145, each once"
tests_exist docs/traps.md 100 < <(grep -oE '`[^`]* [^`]*`' <<<"$(sed 's/`[^` ]*`//g' <<<"$traps")" | tr -d '`')
while read -r number guard; do
  [[ $guard =~ ^(By construction|Waits for|Does not apply)|\`|\.md ]] || complain "docs/traps.md: nothing keeps trap $number away"
done <<<"$traps"

while IFS=: read -r file link; do
  target=${link#](}; target=${target%)}
  [ -e "$(dirname "$file")/${target%%#*}" ] || complain "$file: $target is not there"
done < <(grep -oE '\]\([^)#:]+\)' README.md docs/*.md docs/adr/*.md tests/fixtures/*.md /dev/null | grep -v '://')
exit $failed
