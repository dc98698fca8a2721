# SPDX-License-Identifier: MIT
"""Records what a server sends for a small part of each backlog, for the micro benchmarks.

usage: record.py RECORD_FRAMES
"""

import os
import subprocess
import sys

import workloads
from drain import make_backlog
from server import Server

ROWS = 300
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fixtures")


def record(name, recorder):
    with Server() as server:
        whole = workloads.make(name, 1.0)
        workload = workloads.make(name, ROWS / whole.rows)
        end = make_backlog(server, workload)
        form = "binary" if workload.binary else "text"
        path = os.path.join(FOLDER, name + ".frames")
        subprocess.run([recorder, server.conninfo(), "base", "bench", end, form, path], check=True)


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    for one in workloads.NAMES:
        if not workloads.make(one, 1.0).streamed:  # Its rows are those of another backlog.
            record(one, sys.argv[1])
