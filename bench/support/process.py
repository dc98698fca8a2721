# SPDX-License-Identifier: MIT
"""Runs a program and measures it and the walsender that serves it."""

import ctypes
import os
import select
import signal
import subprocess
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent(how):
    """For `preexec_fn`: what a killed benchmark has started does not stay behind."""
    return lambda: LIBC.prctl(PR_SET_PDEATHSIG, how)


def cpu_seconds(pid):
    """User and system time of a process so far; None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def walsenders(server):
    """The processes of `server` that serve a replication stream now, found without asking it."""
    found = set()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as line:
                    if line.read().startswith(b"postgres: walsender") and parent(entry) == server:
                        found.add(int(entry))
            except OSError:
                pass
    return found


def parent(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
        return int(stat.read().rsplit(")", 1)[1].split()[1])


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


class Running:
    """A program that does not outlive its `with` block, however that ends."""

    def __init__(self, command, enter=lambda: None, **streams):
        """`enter` runs in the new process before the program does."""
        def prepare():
            die_with_parent(signal.SIGKILL)()
            enter()
        self.command = command
        self.process = subprocess.Popen(command, preexec_fn=prepare, **streams)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.process.kill()
            self.process.wait()

    def terminate(self):
        # Not by way of Popen, which would reap it when it is gone already, and lose what it has used.
        os.kill(self.process.pid, signal.SIGTERM)


class Measured(Running):
    """`finish` waits for it and tells what it and its walsender have used, from exec to exit."""

    def __init__(self, command, server, enter=lambda: None):
        self.server = server
        self.others = walsenders(server)
        self.errors = tempfile.TemporaryFile()
        self.output = tempfile.TemporaryFile()
        self.began = time.monotonic()
        super().__init__(command, enter, stdout=self.output, stderr=self.errors)
        self.exit = os.pidfd_open(self.process.pid)
        self.walsender = None
        self.walsender_cpu = 0.0
        self.peak_mb = 0.0

    def __exit__(self, *_):
        super().__exit__()
        os.close(self.exit)

    def runs_on(self, seconds):
        """Whether it still runs after so many seconds; looks at what can be read only now."""
        self._watch()
        return not select.select([self.exit], [], [], seconds)[0]

    def _watch(self):
        if self.walsender is None:
            self.walsender = max(walsenders(self.server) - self.others, default=None)
        self.peak_mb = peak_memory(self.process.pid) or self.peak_mb
        if self.walsender is not None:
            self.walsender_cpu = cpu_seconds(self.walsender) or self.walsender_cpu

    def finish(self, poll):
        while self.runs_on(poll):
            pass
        seconds = time.monotonic() - self.began
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if status != 0:
            raise SystemExit(f"{self.command[0]} failed: {self.told(self.errors)}")
        return {"seconds": seconds, "client_cpu": usage.ru_utime + usage.ru_stime,
                "walsender_cpu": self.walsender_cpu, "peak_rss_mb": self.peak_mb,
                "words": self.told(self.output)}

    @staticmethod
    def told(stream):
        stream.seek(0)
        return stream.read().decode(errors="replace").strip()
