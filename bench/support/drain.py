# SPDX-License-Identifier: MIT
"""Drains a backlog with pg_recvlogical, with a reader that does nothing else, and with replicant, in
turn, on copies of one slot."""

import argparse
import statistics
import sys

import checksum
import report
import workloads
from consumers import SINKS, Ceiling, Recvlogical, replicant
from server import STREAM_EARLY, Server


def arguments():
    parser = argparse.ArgumentParser(prog="bench/drain.sh", description=__doc__)
    parser.add_argument("--build", default="build/release", help="where replicant and bench_ceiling are")
    parser.add_argument("--scale", type=float, default=1.0, help="of the rows; 1 is two million narrow ones")
    parser.add_argument("--rounds", type=int, default=3, help="how often each consumer drains each backlog")
    parser.add_argument("--small", action="store_true", help="few rows, once: only to see whether it works")
    parser.add_argument("--workloads", nargs="+", default=workloads.NAMES, choices=workloads.NAMES)
    parser.add_argument("--transports", nargs="+", default=["unix", "tcp"], choices=["unix", "tcp"])
    parser.add_argument("--sinks", nargs="+", default=list(SINKS), choices=list(SINKS))
    parser.add_argument("--json", default="build/drain.json", help="where the figures are written")
    asked = parser.parse_args()
    if asked.small:
        asked.scale, asked.rounds = 0.001, 1
    return asked


def make_backlog(server, workload):
    """Fills a slot that nobody reads. Returns where its rows end."""
    name = workload.table.split()[2]
    server.sql(f"{workload.table};\n{workload.prepare}\n"
               f"CREATE TABLE marker (); CREATE PUBLICATION bench FOR TABLE {name}, marker;")
    server.sql("SELECT pg_create_logical_replication_slot('base', 'pgoutput')")
    server.sql(workload.fill)
    return server.sql("SELECT pg_current_wal_insert_lsn()")


def check(name, scale, null):
    """On few rows, because the independent decoder is no quick one; streamed all the same."""
    with Server(STREAM_EARLY) as server:
        workload = workloads.make(name, min(scale, 0.01))
        checksum.compare(server, workload, null, make_backlog(server, workload))


def consumers_of(workload, asked):
    """With and without taking a transaction before its commit, where that makes a difference."""
    ways = [True, False] if workload.streamed else [True]
    return [Recvlogical(), *([Recvlogical(streamed=True)] if workload.streamed else []),
            Ceiling(asked.build),
            *(replicant(asked.build, name, way) for name in asked.sinks for way in ways)]


def drain_all(server, workload, consumers, asked, end):
    """Each consumer in turn, round after round, so that a noisy minute hits all of them."""
    runs = []
    for turn in range(asked.rounds):
        for transport in asked.transports:
            for consumer in consumers:
                slot = f"run_{turn}_{transport}_{len(runs)}"
                server.sql(f"SELECT pg_copy_logical_replication_slot('base', '{slot}')")
                figures = consumer.drain(server, slot, workload, transport, end)
                server.sql(f"SELECT pg_drop_replication_slot('{slot}')")
                figures |= {"workload": workload.name, "transport": transport,
                            "consumer": consumer.name, "rows": workload.rows,
                            "rows_per_second": workload.rows / figures["seconds"]}
                print(f"  {workload.name} {transport} {consumer.name}: "
                      f"{figures['rows_per_second']:,.0f} rows/s", file=sys.stderr, flush=True)
                runs.append(figures)
    return runs


def summarise(runs):
    """One row for each consumer of each backlog, beside pg_recvlogical in the same run."""
    groups = {}
    for run in runs:
        groups.setdefault((run["workload"], run["transport"], run["consumer"]), []).append(run)
    rows = []
    for (workload, transport, consumer), group in groups.items():
        base = groups[(workload, transport, Recvlogical.name)]

        def per_million(key, of=group):
            return statistics.median(one[key] / one["rows"] * 1e6 for one in of)

        # Pair by pair: what ran in the same round met the same noise.
        ratio = statistics.median(one["rows_per_second"] / other["rows_per_second"]
                                  for one, other in zip(group, base))
        rows.append([workload, transport, consumer,
                     report.spread([one["rows_per_second"] for one in group]),
                     f"{ratio:.2f}", f"{per_million('walsender_cpu'):.2f}",
                     f"{per_million('client_cpu'):.2f}",
                     f"{per_million('client_cpu') / per_million('client_cpu', base):.2f}",
                     f"{max(one['peak_rss_mb'] for one in group):.0f}"])
    return rows


HEADER = ["backlog", "transport", "consumer", "rows/s", "ratio", "walsender CPU s/M",
          "client CPU s/M", "CPU ratio", "peak MB"]


def main():
    asked = arguments()
    before = report.machine()
    runs = []
    for name in asked.workloads:
        check(name, asked.scale, replicant(asked.build, "null"))
        with Server(STREAM_EARLY if asked.small else {}) as server:
            workload = workloads.make(name, asked.scale)
            end = make_backlog(server, workload)
            # pg_recvlogical sees by what follows that it is done.
            server.sql("INSERT INTO marker DEFAULT VALUES;\nCHECKPOINT;")
            runs += drain_all(server, workload, consumers_of(workload, asked), asked, end)
    rows = summarise(runs)
    print(report.table(HEADER, rows))
    report.write(asked.json, {"bench": "drain", "scale": asked.scale, "before": before,
                              "after": report.machine(), "runs": runs})


if __name__ == "__main__":
    main()
