# SPDX-License-Identifier: MIT
"""Holds a program to a limit of memory: by a cgroup of its own where this machine lets us make one."""

import os
import tempfile
import time

# The folder of a hierarchy, and the file in a group that holds the limit: version 2, then 1.
HIERARCHIES = [("/sys/fs/cgroup", "memory.max"),
               ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")]


class MemoryLimit:
    """`enter` puts the calling process under it. In a cgroup the kernel counts files of the program
    that it holds in memory too, and kills the program when it cannot get below the limit. Without
    one, `how` says that only what the program itself had in memory is compared afterwards."""

    def __init__(self, megabytes):
        self.megabytes, self.group, self.how = megabytes, None, "peak RSS compared"

    def __enter__(self):
        for folder, limit in HIERARCHIES:
            if self._make(folder, limit):
                self.how = f"cgroup ({limit})"
                break
        return self

    def __exit__(self, *_):
        while self.group:
            try:
                os.rmdir(self.group)
                self.group = None
            except OSError:
                time.sleep(0.05)  # What was in it has not quite ended.

    def _make(self, folder, limit):
        try:
            group = tempfile.mkdtemp(prefix="replicant-bench.", dir=folder)
        except OSError:
            return False
        self.group = group
        try:
            # Not to be created: without the controller the file is missing.
            with open(os.open(f"{group}/{limit}", os.O_WRONLY), "w", encoding="ascii") as file:
                file.write(str(self.megabytes << 20))
        except OSError:
            os.rmdir(group)
            self.group = None
            return False
        # A group that can be made may still take nobody.
        child = os.fork()
        if child == 0:
            try:
                self.enter()
            except OSError:
                os._exit(1)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            return True
        self.__exit__()
        return False

    def enter(self):
        if self.group:
            with open(self.group + "/cgroup.procs", "w", encoding="ascii") as file:
                file.write("0")
