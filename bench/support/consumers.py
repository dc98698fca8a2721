# SPDX-License-Identifier: MIT
"""What drains a slot: pg_recvlogical, a reader that does nothing else, and replicant into one of its
sinks. Each is measured from exec to exit."""

import json
import os
import re
import socket

from process import Measured

POLL = 0.05  # seconds


class Recvlogical:
    """PostgreSQL's own client; it leaves when it has seen the end."""

    name = "pg_recvlogical"

    def __init__(self, target="/dev/null"):
        self.target = target

    def drain(self, server, slot, workload, transport, end):
        options = ["proto_version=1", "publication_names=bench"]
        if workload.binary:
            options.append("binary=true")
        command = [server.bin + "/pg_recvlogical", "-d", server.conninfo(transport), "--slot", slot,
                   "--start", "--no-loop", "--endpos", end, "-f", self.target]
        for option in options:
            command += ["-o", option]
        with Measured(command, server.pid) as run:
            return run.finish(POLL)


class Ceiling:
    """Reads as replicant does and throws everything away: the rest is what a pipeline costs."""

    name = "ceiling"

    def __init__(self, build):
        self.program = build + "/bench_ceiling"

    def drain(self, server, slot, workload, transport, end):
        form = "binary" if workload.binary else "text"
        with Measured([self.program, server.conninfo(transport), slot, "bench", form,
                       str(workload.rows)], server.pid) as run:
            return run.finish(POLL)


class Replicant:
    """The program; it is asked to leave as soon as it has received everything, and then makes it
    durable and confirms it."""

    def __init__(self, build, name, sink):
        self.program, self.name, self.sink = build + "/replicant", name, sink

    def drain(self, server, slot, workload, transport, end):
        folder = server.folder + "/" + slot
        os.makedirs(folder)
        config = self._configure(server, slot, workload, transport, folder)
        with Measured([self.program, "run", config], server.pid) as run:
            while run.runs_on(POLL) and not self._has_all(folder, workload.rows, end):
                pass
            run.terminate()
            figures = run.finish(POLL)
        rows = self._rows_told(figures["words"], folder)
        if rows not in (workload.rows, workload.rows + 1):  # One more: the row behind the end.
            raise SystemExit(f"{self.name} has {rows} of {workload.rows} rows: {figures['words']}")
        return figures

    def _configure(self, server, slot, workload, transport, folder):
        sink = self.sink
        if sink.startswith('kind = "jsonl"'):
            path = folder + "/out.jsonl"
            sink += f'\npath = "{path}"'
            self._write_header(server, slot, path)
        config = folder + "/bench.toml"
        with open(config, "w", encoding="utf8") as file:
            file.write(f"""
[runtime]
state_dir = "{folder}/state"
log_level = "warn"
[[pipeline]]
name = "bench"
slot_name = "{slot}"
publication = "bench"
binary = {str(workload.binary).lower()}
[pipeline.connection]
conninfo = "{server.conninfo(transport)}"
[pipeline.sink]
{sink}
""")
        return config

    @staticmethod
    def _write_header(server, slot, path):
        """The slot is there already: the file has to know it."""
        identifier = server.sql("SELECT system_identifier FROM pg_control_system()")
        header = {"kind": "header", "format": 1, "system_identifier": identifier,
                  "database": "postgres", "slot_name": slot}
        with open(path, "w", encoding="utf8") as file:
            file.write(json.dumps(header, separators=(",", ":")) + "\n")

    @staticmethod
    def _has_all(folder, rows, end):
        """Whether the program says that it has received everything. It tells positions a few times
        a second, what is durable at once."""
        try:
            with socket.socket(socket.AF_UNIX) as control:
                control.connect(folder + "/state/control.sock")
                control.sendall(b"status\n")
                told = b"".join(iter(lambda: control.recv(65536), b""))
            status = json.loads(told)["pipelines"][0]
        except (OSError, ValueError):
            return False  # It does not answer yet.
        return status["changes"] >= rows or position(status["received_end"]) >= position(end)

    @staticmethod
    def _rows_told(words, folder):
        """What the null sink says at the end, or what stands in the file."""
        if words:
            return int(re.search(r" (\d+) rows", words.splitlines()[-1])[1])
        with open(folder + "/out.jsonl", "rb") as lines:
            return sum(line.startswith(b'{"kind":"change"') for line in lines)


def position(text):
    """A position in the WAL as a number; 0 for none."""
    high, low = (text or "0/0").split("/")
    return int(high, 16) << 32 | int(low, 16)


def replicants(build):
    return {one.name: one for one in (
        Replicant(build, "null", 'kind = "null"'),
        Replicant(build, "jsonl_interval", 'kind = "jsonl"\nfsync = "interval"'),
        Replicant(build, "jsonl_every_commit", 'kind = "jsonl"'))}
