# SPDX-License-Identifier: MIT
"""Runs a program and measures it and the walsender that serves it."""

import os
import signal
import subprocess
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """User and system time of a process so far; None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def walsenders():
    """The processes that serve a replication stream now, found without asking the server."""
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as line:
                    if line.read().startswith(b"postgres: walsender"):
                        found.add(int(entry))
            except OSError:
                pass
    return found


def peak_memory(pid):
    """The most that a process had in memory so far, in MB; None when it is gone. What wait4 tells
    includes the memory of the process that it was forked from."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


class Measured:
    """A running program. `finish` waits for it and tells what it and its walsender have used."""

    def __init__(self, command):
        self.others = walsenders()
        self.command = command
        self.errors = tempfile.TemporaryFile()
        self.output = tempfile.TemporaryFile()
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=self.output, stderr=self.errors)
        self.walsender = None
        self.walsender_cpu = 0.0
        self.peak_mb = 0.0

    def watch(self):
        """To be called now and then: the walsender's time can be read only while it lives."""
        if self.walsender is None:
            fresh = walsenders() - self.others
            if fresh:
                self.walsender = max(fresh)
        self.peak_mb = peak_memory(self.process.pid) or self.peak_mb
        if self.walsender is not None:
            self.walsender_cpu = cpu_seconds(self.walsender) or self.walsender_cpu

    def running(self):
        # Left unreaped, so that `finish` can still ask what it has used.
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self.process.pid, options) is None

    def elapsed(self):
        return time.monotonic() - self.began

    def terminate(self):
        os.kill(self.process.pid, signal.SIGTERM)

    def finish(self, seconds=None):
        """`seconds`: when its work was done, if that was before its end."""
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = status
        seconds = seconds or self.elapsed()
        if status != 0:
            self.errors.seek(0)
            raise SystemExit(f"{self.command[0]} failed: {self.errors.read().decode(errors='replace')}")
        return {"seconds": seconds, "client_cpu": usage.ru_utime + usage.ru_stime,
                "walsender_cpu": self.walsender_cpu, "peak_rss_mb": self.peak_mb}

    def told(self):
        """What it wrote to standard output."""
        self.output.seek(0)
        return self.output.read().decode()
