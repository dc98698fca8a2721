#!/usr/bin/env python3
"""Checks who includes whom: the arrows between our folders and where third parties may appear."""

import pathlib
import re
import subprocess
import sys

# Which of our folders a folder may include; the longest name that fits a file is its folder.
ARROWS = {
    "core": {"core"},
    "config": {"core", "config"},
    "actors/files": {"core", "actors/files"},
    "actors/postgres": {"core", "actors/files", "actors/postgres"},
    "actors/sinks": {"core", "actors/files", "actors/postgres", "actors/sinks"},
    "actors": {"core", "config", "actors", "actors/files", "actors/postgres"},
    "actors/cli": {"core", "config", "actors", "actors/files", "actors/postgres", "actors/sinks", "actors/cli"},
    "tests": None,
    "bench": None,
    "docs": None,
}

# Third parties, by what their includes begin with, and the files that may include them.
THIRD_PARTIES = {
    "tl/expected.hpp": [r".*"],
    "caf/": [r"actors/[^/]+", r"actors/cli/(run|system_config|tail).*", r"tests/.*", r"bench/.*", r"docs/.*"],
    "libpq-fe.h": [r"actors/postgres/[^/]+\.cpp", r"actors/postgres/libpq_handles\.hpp",
                   r"tests/.*", r"bench/.*", r"docs/.*"],
    "spdlog/": [r"actors/log_observer\.cpp"],
    "toml++/": [r"config/load\.cpp", r"tests/config/.*"],
    "CLI/": [r"actors/cli/command_line[^/]*"],
    "nlohmann/": [r"actors/(event_line|fault_fields|json_line|log_observer|slot_fields)\.[ch]pp", r"actors/cli/[^/]+\.cpp",
                  r"tests/.*", r"bench/.*"],
    "httplib.h": [r"actors/cli/metrics_endpoint\.cpp"],
    "systemd/": [r"actors/cli/service_manager\.cpp"],
    "isa-l/": [r"actors/files/crc32c\.cpp"],
    "catch2/": [r"tests/.*"],
    "benchmark/": [r"bench/.*"],
}

# Headers of the standard library that act instead of deciding: not for core.
ACTING = {"condition_variable", "filesystem", "fstream", "future", "iostream", "mutex",
          "semaphore", "shared_mutex", "stop_token", "thread"}
CLOCK = re.compile(r"\b(system_clock|steady_clock|high_resolution_clock)::now\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    fitting = [name for name in ARROWS if path.startswith(name + "/")]
    return max(fitting, key=len) if fitting else None


def judge_own(path, target):
    if not target.startswith("replicant/"):
        return 'ours are spelled "replicant/<folder>/<file>"'
    target = target.removeprefix("replicant/")
    if not pathlib.Path(target).is_file():
        return "there is no such file"
    allowed = ARROWS[folder_of(path)]
    if allowed is not None and folder_of(target) not in allowed:
        return f"{folder_of(path)} may include only {', '.join(sorted(allowed))}"
    return None


def judge_other(path, target):
    for prefix, files in THIRD_PARTIES.items():
        if target.startswith(prefix):
            fits = any(re.fullmatch(pattern, path) for pattern in files)
            return None if fits else "this library has its place elsewhere"
    is_standard = re.fullmatch(r"[a-z_]+", target) is not None
    if folder_of(path) == "core" and (not is_standard or target in ACTING):
        return "core has no I/O, clock, thread or log"
    is_system = re.fullmatch(r"((sys|netinet|arpa|net)/)?[a-z_]+\.h", target) is not None
    if not is_standard and not is_system:
        return "an unknown library"
    if is_system and folder_of(path) == "config":
        return "config talks to no system interface"
    return None


def problems_of(path):
    if folder_of(path) is None:
        yield path, "this folder has no place among the arrows"
        return
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if folder_of(path) == "core" and CLOCK.search(line):
            yield f"{path}:{number}", "core is given the time, it does not ask for it"
        if not (found := INCLUDE.match(line)):
            continue
        judge = judge_own if found[1] == '"' else judge_other
        if wrong := judge(path, found[2]):
            yield f"{path}:{number}", f"{found[2]}: {wrong}"


def main():
    tracked = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "*.hpp", "*.cpp"], check=True,
                             capture_output=True, text=True).stdout.split()
    problems = [problem for path in tracked if pathlib.Path(path).is_file()
                for problem in problems_of(path)]
    for place, text in problems:
        print(f"{place}: {text}")
    print(f"{len(tracked)} files, {len(problems)} wrong includes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
