#!/usr/bin/env python3
"""Tells how a test run went:
report_tests.py RESULTS TESTS PROGRAMS KINDS [CHECK=passed|failed ...] [--server MAJOR=RESULTS ...]

RESULTS is what ctest --output-junit wrote, TESTS what ctest --show-only=json-v1 printed, PROGRAMS a
file with the names of all test programs, KINDS a comma-separated list of the kinds that have to be
there. A program or kind that ran nothing is a failure; so is a test that was not run without saying
"SKIPPED: <why>". For each further server the results of its own runs are added (give it twice for
two): a server that ran nothing is a failure, and so is one whose tests met another version. The last
line is "N passed, N failed".
"""

import argparse
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

LONGEST_OUTPUT = 80  # lines shown of a failed test
KINDS_WITH_SERVER = {"postgres", "crash", "bench"}


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


def cases_of(results):
    if not pathlib.Path(results).is_file():
        return []
    return xml.etree.ElementTree.parse(results).getroot().findall("testcase")


def server_met_by(cases):
    """The version of the server that the tests had, by the word of the test that asks it."""
    told = {version for case in cases
            for version in re.findall(r"^SERVER: (\d+)$", case.findtext("system-out") or "", re.M)}
    return ", ".join(sorted(told))


class Table:
    """Counts by program, kind and server."""

    def __init__(self, kind_of):
        self.kind_of = kind_of
        self.rows = collections.defaultdict(collections.Counter)

    def add(self, cases, server):
        for case in cases:
            name = case.get("name")
            kind = self.kind_of.get(name, "other")
            outcome, output = outcome_of(case)
            where = server if kind in KINDS_WITH_SERVER else ""
            self.rows[name.split(":")[0], kind, where][outcome] += 1
            if outcome == "failed":
                show_failure(f"{name} (PostgreSQL {where})" if where else name, output)

    def fail(self, program, kind, server=""):
        self.rows[program, kind, server]["failed"] += 1

    def show(self):
        print(f"\n{'suite':<28}{'kind':<24}{'server':<8}{'passed':>8}{'failed':>8}{'skipped':>8}")
        for (program, kind, server), count in self.rows.items():
            print(f"{program:<28}{kind:<24}{server:<8}{count['passed']:>8}{count['failed']:>8}"
                  f"{count['skipped']:>8}")
        by_server = collections.defaultdict(collections.Counter)
        for (_, _, server), count in self.rows.items():
            by_server[server] += count
        print()
        for server in sorted(set(by_server) - {""}):
            count = by_server[server]
            print(f"PostgreSQL {server}: {count['passed']} passed, {count['failed']} failed")

    def total(self):
        return sum(self.rows.values(), collections.Counter())


def add_checks(table, checks):
    for check in checks:
        name, result = check.split("=")
        table.rows["checks", "check", ""][result] += 1
        if result == "failed":
            print(f"\n--- FAILED: check {name} (see above)")


def add_main_run(table, cases, programs, kinds):
    """Every program and every kind has to be in it."""
    table.add(cases, server_met_by(cases) or "?")
    seen_programs = {program for program, _, _ in table.rows}
    seen_kinds = {kind for _, kind, _ in table.rows}
    for program in pathlib.Path(programs).read_text().split():
        if program not in seen_programs:
            table.fail(program, "RAN NOTHING")
    for kind in kinds.split(","):
        if kind not in seen_kinds:
            table.fail("(none)", kind + ": RAN NOTHING")


def add_servers(table, runs):
    """Adds the runs against further servers. Returns all their cases."""
    cases = collections.defaultdict(list)
    for run in runs:
        major, results = run.split("=")
        cases[major] += cases_of(results)
    for major, found in cases.items():
        table.add(found, major)
        if not found:
            table.fail("(none)", "RAN NOTHING", major)
        elif (met := server_met_by(found)) != major:
            print(f"\n--- FAILED: the tests for PostgreSQL {major} met {met or 'no server'}")
            table.fail("(none)", "ANOTHER SERVER", major)
    return sum(cases.values(), [])


def main():
    parser = argparse.ArgumentParser()
    for name in ("results", "tests", "programs", "kinds"):
        parser.add_argument(name)
    parser.add_argument("checks", nargs="*")
    parser.add_argument("--server", action="append", default=[])
    given = parser.parse_args()
    cases = cases_of(given.results)
    kind_of = kinds_of(json.loads(pathlib.Path(given.tests).read_text())) if cases else {}
    table = Table(kind_of)
    add_checks(table, given.checks)
    if cases:
        add_main_run(table, cases, given.programs, given.kinds)
    cases += add_servers(table, given.server)
    table.show()
    if receipts := receipts_of(cases):
        print("\nnot covered on this machine:")
        for line in receipts:
            print(f"  {line}")
    total = table.total()
    print(f"\n{total['passed']} passed, {total['failed']} failed")
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
