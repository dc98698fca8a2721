#!/usr/bin/env python3
"""Tells how a test run went: report_tests.py RESULTS TESTS PROGRAMS KINDS CHECK=passed|failed ...

RESULTS is what ctest --output-junit wrote, TESTS what ctest --show-only=json-v1 printed, PROGRAMS a
file with the names of all test programs, KINDS a comma-separated list of the kinds that have to be
there. A program or kind that ran nothing is a failure; so is a test that was not run without saying
"SKIPPED: <why>". The last line is "N passed, N failed".
"""

import collections
import json
import pathlib
import sys
import xml.etree.ElementTree

LONGEST_OUTPUT = 80  # lines shown of a failed test


def kinds_of(tests):
    """The kind of each test by its name."""
    kinds = {}
    for test in tests["tests"]:
        labels = [label for one in test.get("properties", []) if one["name"] == "LABELS"
                  for label in one["value"]]
        kinds[test["name"]] = labels[0] if labels else "other"
    return kinds


def outcome_of(case):
    """passed, failed or skipped; and why, when it is not plain."""
    output = case.findtext("system-out") or ""
    if case.get("status") == "fail" or case.find("failure") is not None:
        return "failed", output
    if case.get("status") == "run":
        # Catch2 calls it a success when a name fits no test.
        empty = "No test cases matched" in output or "No tests ran" in output
        return ("failed", "it ran nothing\n" + output) if empty else ("passed", "")
    return ("skipped", "") if "SKIPPED: " in output else ("failed", "not run\n" + output)


def receipts_of(cases):
    """What tests said that they could not cover."""
    lines = {line[line.index("SKIPPED: "):].strip() for case in cases
             for line in (case.findtext("system-out") or "").splitlines() if "SKIPPED: " in line}
    return sorted(lines)


def show_failure(name, output):
    lines = output.strip().splitlines()
    print(f"\n--- FAILED: {name}")
    if len(lines) > LONGEST_OUTPUT:
        print(f"    ({len(lines) - LONGEST_OUTPUT} lines left out)")
    for line in lines[-LONGEST_OUTPUT:]:
        print(f"    {line}")


def main(results, tests, programs, kinds, *checks):
    table = collections.defaultdict(collections.Counter)
    for check in checks:
        name, result = check.split("=")
        table["checks", "check"][result] += 1
        if result == "failed":
            print(f"\n--- FAILED: check {name} (see above)")
    cases = []
    if pathlib.Path(results).is_file():
        cases = xml.etree.ElementTree.parse(results).getroot().findall("testcase")
        kind_of = kinds_of(json.loads(pathlib.Path(tests).read_text()))
        for case in cases:
            name = case.get("name")
            outcome, output = outcome_of(case)
            table[name.split(":")[0], kind_of.get(name, "other")][outcome] += 1
            if outcome == "failed":
                show_failure(name, output)
        seen_programs = {program for program, _ in table}
        seen_kinds = {kind for _, kind in table}
        for program in pathlib.Path(programs).read_text().split():
            if program not in seen_programs:
                table[program, "RAN NOTHING"]["failed"] += 1
        for kind in kinds.split(","):
            if kind not in seen_kinds:
                table["(none)", kind + ": RAN NOTHING"]["failed"] += 1

    print(f"\n{'suite':<28}{'kind':<24}{'passed':>8}{'failed':>8}{'skipped':>8}")
    for (program, kind), count in table.items():
        print(f"{program:<28}{kind:<24}{count['passed']:>8}{count['failed']:>8}"
              f"{count['skipped']:>8}")
    if receipts := receipts_of(cases):
        print("\nnot covered on this machine:")
        for line in receipts:
            print(f"  {line}")
    total = sum(table.values(), collections.Counter())
    print(f"\n{total['passed']} passed, {total['failed']} failed")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
