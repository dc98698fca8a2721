# SPDX-License-Identifier: MIT
"""What drains a slot: pg_recvlogical, and replicant into one of its sinks."""

import json
import os
import socket
import time

from process import Measured

POLL = 0.02  # seconds


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
        run = Measured(command)
        while run.running():
            run.watch()
            time.sleep(POLL)
        return run.finish()


class Replicant:
    def __init__(self, program, name, sink):
        self.program, self.name, self.sink = program, name, sink

    def drain(self, server, slot, workload, transport, end):
        folder = server.folder + "/" + slot
        os.makedirs(folder)
        config = self._configure(server, slot, workload, transport, folder)
        run = Measured([self.program, "run", config])
        while run.running():
            run.watch()
            if self._durable_changes(folder) >= workload.rows:
                break
            time.sleep(POLL)
        seconds = run.elapsed()
        run.terminate()
        figures = run.finish(seconds)
        figures["words"] = run.told().strip()
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
    def _durable_changes(folder):
        """How many changes the program has made durable; 0 while it does not answer."""
        try:
            with socket.socket(socket.AF_UNIX) as control:
                control.connect(folder + "/state/control.sock")
                control.sendall(b"status\n")
                told = b"".join(iter(lambda: control.recv(65536), b""))
            return json.loads(told)["pipelines"][0]["changes"]
        except (OSError, ValueError):
            return 0


def replicants(program):
    return {one.name: one for one in (
        Replicant(program, "null", 'kind = "null"'),
        Replicant(program, "jsonl_interval", 'kind = "jsonl"\nfsync = "interval"'),
        Replicant(program, "jsonl_every_commit", 'kind = "jsonl"'))}
