# SPDX-License-Identifier: MIT
"""One large transaction, taken by replicant while it is written, with little memory."""

import argparse
import glob
import os
import sys
import threading
import time

import report
import workloads
from consumers import POLL, SINKS, position, replicant, status_of
from memory_limit import MemoryLimit
from process import Measured
from server import STREAM_EARLY, Server


def arguments():
    parser = argparse.ArgumentParser(prog="bench/large.sh", description=__doc__)
    parser.add_argument("--build", default="build/release", help="where replicant is")
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--limit", type=int, default=256, help="of the consumer's memory, in MB")
    parser.add_argument("--small", action="store_true", help="few rows: only to see whether it works")
    parser.add_argument("--sinks", nargs="+", default=["null", "jsonl_every_commit"], choices=list(SINKS))
    parser.add_argument("--streaming", nargs="+", default=["on", "off"], choices=["on", "off"])
    parser.add_argument("--transport", default="unix", choices=["unix", "tcp"])
    parser.add_argument("--json", default="build/large.json", help="where the figures are written")
    asked = parser.parse_args()
    # Otherwise the server sends a commit only when it comes to writing its WAL.
    asked.credit, asked.settings = "32MiB", {"synchronous_commit": "on"}
    if asked.small:
        asked.rows, asked.credit = 20_000, "1MiB"
        asked.settings |= STREAM_EARLY
    return asked


class Writer(threading.Thread):
    """Writes and commits the transaction. `low` is a position right before its commit, `committed`
    the time on our clock when the server has answered."""

    def __init__(self, server, workload):
        super().__init__(daemon=True)
        self.server, self.workload = server, workload
        self.low = self.committed = None

    def run(self):
        self.began = time.monotonic()
        # The commit lies behind `low`, not at it, because of the message, which nobody is sent.
        low = self.server.sql(
            f"BEGIN;\n{self.workload.fill}\nSELECT pg_current_wal_insert_lsn() AS low \\gset\n"
            "DO $$ BEGIN PERFORM pg_logical_emit_message(false, '', ''); END $$;\nCOMMIT;\n\\echo :low")
        self.committed = time.monotonic()
        self.low = low


class Spill:
    """The most that has lain on disk."""

    def __init__(self, folder):
        self.pattern, self.peak = folder + "/state/spill/*/*.spill", 0

    def look(self):
        total = 0
        for path in glob.glob(self.pattern):
            try:
                total += os.stat(path).st_size
            except OSError:
                pass  # It is gone.
        self.peak = max(self.peak, total)


def follow(run, writer, spill, folder):
    """Watches until the transaction is durable. Returns when its end was seen to be received, when
    it was seen to be durable, and what was spilled."""
    received = None
    while run.runs_on(POLL):
        spill.look()
        if not writer.is_alive() and writer.low is None:
            raise SystemExit("the transaction was not committed")
        status = status_of(folder)
        if not writer.low or not status:
            continue
        low, now = position(writer.low), time.monotonic()
        if position(status["received_end"]) > low:
            received = received or now
        if status["transactions"] and position(status["durable"]) > low:
            return received or now, now, status["spill_written_bytes"]
    raise SystemExit(f"{run.command[0]} did not wait for the transaction: {run.told(run.errors)}")


def wait_for_stream(run, folder):
    while (status_of(folder) or {}).get("state") != "streaming":
        if not run.runs_on(POLL):
            raise SystemExit(f"{run.command[0]} failed: {run.told(run.errors)}")


def measure(consumer, asked):
    with Server(asked.settings) as server, MemoryLimit(asked.limit) as limit:
        workload = workloads.one_transaction(asked.rows)
        server.sql(f"{workload.table};\nCREATE PUBLICATION bench FOR TABLE narrow;\n"
                   "SELECT pg_create_logical_replication_slot('large', 'pgoutput');\nCHECKPOINT;")
        folder = server.folder + "/large"
        os.makedirs(folder)
        config = consumer.configure(server, "large", workload, asked.transport, folder, asked.credit)
        writer, spill = Writer(server, workload), Spill(folder)
        with Measured([consumer.program, "run", config], server.pid, limit.enter) as run:
            wait_for_stream(run, folder)
            writer.start()
            received, durable, spilled = follow(run, writer, spill, folder)
            run.terminate()
            figures = run.finish(POLL)
        consumer.require_rows([asked.rows], figures, folder)
        if figures["peak_rss_mb"] > asked.limit:
            raise SystemExit(f"{consumer.name} took {figures['peak_rss_mb']:.0f} MB of memory")
        server_spill, server_stream = server.sql(
            "SELECT spill_bytes, stream_bytes FROM pg_stat_replication_slots").split("|")
    return figures | {"consumer": consumer.name, "rows": asked.rows, "limited_by": limit.how,
                      "transport": asked.transport, "write_seconds": writer.committed - writer.began,
                      "received_seconds": received - writer.committed,
                      "durable_seconds": durable - writer.committed,
                      "spill_peak_bytes": spill.peak, "spill_written_bytes": spilled,
                      "server_spill_bytes": int(server_spill), "server_stream_bytes": int(server_stream)}


def compare_checksums(runs):
    """The null sink has to come to the same, whichever way the rows came."""
    sums = {run["words"].split()[-1] for run in runs if run["consumer"].startswith("null")}
    if len(sums) > 1:
        raise SystemExit(f"the checksums of the null sink differ: {sums}")


HEADER = ["consumer", "peak RSS MB", "spill peak MB", "server spill MB", "server streamed MB", "write s",
          "COMMIT to received s", "COMMIT to durable s", "client CPU s", "walsender CPU s"]


def row_of(run):
    def megabytes(key):
        return f"{run[key] / 1e6:,.0f}"
    return [run["consumer"], f"{run['peak_rss_mb']:.0f}", megabytes("spill_peak_bytes"),
            megabytes("server_spill_bytes"), megabytes("server_stream_bytes"),
            f"{run['write_seconds']:.1f}", f"{run['received_seconds']:.1f}", f"{run['durable_seconds']:.1f}",
            f"{run['client_cpu']:.1f}", f"{run['walsender_cpu']:.1f}"]


def main():
    asked = arguments()
    before = report.machine()
    runs = []
    for name in asked.sinks:
        for streaming in asked.streaming:
            run = measure(replicant(asked.build, name, streaming == "on"), asked)
            print(f"  {run['consumer']}: durable {run['durable_seconds']:.1f} s after COMMIT",
                  file=sys.stderr, flush=True)
            runs.append(run)
    compare_checksums(runs)
    print(report.table(HEADER, [row_of(run) for run in runs]))
    print(f"{asked.rows:,} rows in one transaction; {asked.limit} MB at most: {runs[0]['limited_by']}")
    report.write(asked.json, {"bench": "large", "before": before, "after": report.machine(),
                              "runs": runs})


if __name__ == "__main__":
    main()
