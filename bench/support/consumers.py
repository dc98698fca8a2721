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
    """PostgreSQL's own client; it leaves when it has seen the end. `streamed`: it takes large
    transactions before their commit."""

    name = "pg_recvlogical"

    def __init__(self, target="/dev/null", streamed=False):
        self.target, self.streamed = target, streamed
        if streamed:
            self.name += "_streaming"

    def drain(self, server, slot, workload, transport, end):
        options = ["publication_names=bench", f"proto_version={2 if self.streamed else 1}"]
        if self.streamed:
            options.append("streaming=on")
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
    durable and confirms it. `streamed`: it takes large transactions before their commit."""

    def __init__(self, build, name, sink, streamed=True):
        self.program, self.name, self.sink, self.streamed = build + "/replicant", name, sink, streamed
        if not streamed:
            self.name += "_whole"

    def drain(self, server, slot, workload, transport, end):
        folder = server.folder + "/" + slot
        os.makedirs(folder)
        config = self.configure(server, slot, workload, transport, folder)
        with Measured([self.program, "run", config], server.pid) as run:
            while run.runs_on(POLL) and not self._has_all(folder, workload.rows, end):
                pass
            run.terminate()
            figures = run.finish(POLL)
        # One more: the row behind the end.
        self.require_rows((workload.rows, workload.rows + 1), figures, folder)
        return figures

    def configure(self, server, slot, workload, transport, folder, credit="32MiB"):
        """Writes what the program needs into `folder`. Returns the path of its configuration."""
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
max_inflight_lag = "{credit}"
[pipeline.streaming]
enabled = {str(self.streamed).lower()}
[pipeline.streaming.spill]
max_spill_bytes = "64GiB"
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
        """Whether the program says that it has received everything."""
        status = status_of(folder)
        return status is not None and (
            status["changes"] >= rows or position(status["received_end"]) >= position(end))

    def require_rows(self, wanted, figures, folder):
        """Ends the program unless the sink was given so many rows."""
        rows = self._rows_told(figures["words"], folder)
        if rows not in wanted:
            raise SystemExit(f"{self.name} has {rows} of {wanted[0]} rows: {figures['words']}")

    @staticmethod
    def _rows_told(words, folder):
        """What the null sink says at the end, or what stands in the file."""
        if words:
            return int(re.search(r" (\d+) rows", words.splitlines()[-1])[1])
        with open(folder + "/out.jsonl", "rb") as lines:
            return sum(line.startswith(b'{"kind":"change"') for line in lines)


def status_of(folder):
    """What the program in `folder` says of its pipeline; None when it does not answer yet. It tells
    positions a few times a second, what is durable at once."""
    try:
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(folder + "/state/control.sock")
            control.sendall(b"status\n")
            told = b"".join(iter(lambda: control.recv(65536), b""))
        return json.loads(told)["pipelines"][0]
    except (OSError, ValueError, IndexError):
        return None  # Also when its pipeline did not answer in time.


def position(text):
    """A position in the WAL as a number; 0 for none."""
    high, low = (text or "0/0").split("/")
    return int(high, 16) << 32 | int(low, 16)


SINKS = {"null": 'kind = "null"',
         "jsonl_interval": 'kind = "jsonl"\nfsync = "interval"',
         "jsonl_every_commit": 'kind = "jsonl"'}


def replicant(build, name, streamed=True):
    """The program with one of SINKS."""
    return Replicant(build, name, SINKS[name], streamed)
