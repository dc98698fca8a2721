#!/usr/bin/env bash
# Every test that docs/invariants.md names exists, and every relative link of the documents leads somewhere.
set -euo pipefail
cd "$(dirname "$0")/../.."

failed=0
complain() { echo "$1" >&2; failed=1; }

mapfile -t names < <(sed -n 's/^ *- `\(.*\)`$/\1/p' docs/invariants.md)
[ "${#names[@]}" -gt 20 ] || complain "docs/invariants.md: too few tests are named"
for name in "${names[@]}"; do
  grep -rqF "TEST_CASE(\"$name\"" tests || complain "docs/invariants.md names a test that is not there: $name"
done

while IFS=: read -r file link; do
  target=${link#](}; target=${target%)}
  [ -e "$(dirname "$file")/${target%%#*}" ] || complain "$file: $target is not there"
done < <(grep -oE '\]\([^)#:]+\)' README.md docs/*.md docs/adr/*.md tests/fixtures/*.md /dev/null | grep -v '://')
exit $failed
