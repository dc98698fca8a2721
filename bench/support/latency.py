# SPDX-License-Identifier: MIT
"""Commit-to-durable latency of lone transactions and under a fixed load, and the cost of being idle."""

import argparse
import os
import subprocess
import sys
import time

import report
from process import Running, cpu_seconds
from server import Server

EPOCH = 946684800  # 2000-01-01, where PostgreSQL's clock begins


def arguments():
    parser = argparse.ArgumentParser(prog="bench/latency.sh", description=__doc__)
    parser.add_argument("--build", default="build/release", help="where replicant and bench_latency are")
    parser.add_argument("--rates", nargs="+", type=int, default=[1000, 5000, 10000], help="transactions/s")
    parser.add_argument("--seconds", type=int, default=20, help="of each rate")
    parser.add_argument("--lone", type=int, default=200, help="lone transactions, ten a second")
    parser.add_argument("--idle", type=int, default=60, help="seconds of idleness")
    parser.add_argument("--interval", type=int, default=0, help="of syncs, in ms; 0: every commit")
    parser.add_argument("--small", action="store_true", help="a few seconds: only to see whether it works")
    parser.add_argument("--json", default="build/latency.json", help="where the figures are written")
    asked = parser.parse_args()
    asked.settle = 3  # seconds between two measurements
    if asked.small:
        asked.rates, asked.seconds, asked.lone, asked.idle, asked.settle = [200], 1, 5, 1, 0.2
    return asked


def now():
    return (time.time() - EPOCH) * 1e6


def lone(server, count):
    """Transactions that nothing precedes for a tenth of a second."""
    with subprocess.Popen([server.bin + "/psql", "-d", server.conninfo(), "-XAtq"], text=True,
                          stdin=subprocess.PIPE) as session:
        for number in range(count):
            session.stdin.write(f"INSERT INTO load VALUES ({number}, 'a lone transaction');\n")
            session.stdin.flush()
            time.sleep(0.1)
        session.stdin.close()


def loaded(server, rate, seconds):
    script = server.folder + "/load.sql"
    with open(script, "w", encoding="ascii") as file:
        file.write("INSERT INTO load VALUES (:client_id, 'a transaction under load');\n")
    done = subprocess.run(
        [server.bin + "/pgbench", "-h", server.folder, "-p", str(server.port), "-U", "postgres", "-n",
         "-M", "prepared", "-c", "4", "-R", str(rate), "-T", str(seconds), "-f", script, "postgres"],
        check=True, capture_output=True, text=True)
    told = [line for line in done.stdout.splitlines() if line.startswith("tps")]
    return float(told[0].split()[2])


def phases(server, asked):
    """Yields a name, how many transactions/s there were, and from when to when."""
    began = now()
    lone(server, asked.lone)
    yield "lone", None, began, now()
    for rate in asked.rates:
        time.sleep(asked.settle)
        began = now()
        reached = loaded(server, rate, asked.seconds)
        yield f"{rate} TPS", reached, began, now()
    time.sleep(asked.settle)


def percentile(sorted_values, share):
    return sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * share))]


def wait_for_stream(server, slot, running):
    while server.sql(f"SELECT active FROM pg_replication_slots WHERE slot_name = '{slot}'") != "t":
        if running.process.poll() is not None:
            raise SystemExit(f"{running.command[0]} failed")
        time.sleep(0.05)


def measure(server, asked):
    command = [asked.build + "/bench_latency", server.conninfo(), "latency",
               server.folder + "/out.jsonl", str(asked.interval)]
    with Running(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as host:
        wait_for_stream(server, "latency", host)
        found = list(phases(server, asked))
        told, _ = host.process.communicate("")
        if host.process.returncode != 0:
            raise SystemExit("bench_latency failed")
    pairs = [tuple(map(int, line.split())) for line in told.splitlines()]
    rows = []
    for name, reached, began, ended in found:
        values = sorted(took / 1000 for committed, took in pairs if began <= committed <= ended)
        if not values:
            raise SystemExit(f"{name}: no transaction has become durable")
        rows.append({"phase": name, "tps": reached, "transactions": len(values)} |
                    {key: round(percentile(values, share), 2) for key, share in
                     (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))})
    return rows


def switches(pid):
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/status", encoding="ascii") as status:
            total += sum(int(line.split()[1]) for line in status if "ctxt_switches" in line)
    return total


def idle(server, asked):
    """The program itself, with nothing to do."""
    config = server.folder + "/idle.toml"
    with open(config, "w", encoding="utf8") as file:
        file.write(f"""
[runtime]
state_dir = "{server.folder}/state"
[[pipeline]]
name = "idle"
slot_name = "idle"
publication = "bench"
go_forward_only = true
[pipeline.connection]
conninfo = "{server.conninfo()}"
[pipeline.sink]
kind = "jsonl"
path = "{server.folder}/idle.jsonl"
""")
    with Running([asked.build + "/replicant", "run", config], stderr=subprocess.DEVNULL) as running:
        wait_for_stream(server, "idle", running)
        time.sleep(asked.settle)
        pid = running.process.pid
        before, woken = cpu_seconds(pid), switches(pid)
        time.sleep(asked.idle)
        spent, woken = cpu_seconds(pid) - before, switches(pid) - woken
        running.terminate()
        if running.process.wait() != 0:
            raise SystemExit("the idle replicant failed")
    return {"seconds": asked.idle, "cpu_percent": round(spent / asked.idle * 100, 3),
            "wakeups_per_second": round(woken / asked.idle, 1)}


def main():
    asked = arguments()
    before = report.machine()
    with Server({"synchronous_commit": "on", "full_page_writes": "on"}) as server:
        server.sql("CREATE TABLE load (id int, what text); CREATE PUBLICATION bench FOR TABLE load;")
        rows = measure(server, asked)
        resting = idle(server, asked)
    print(report.table(["phase", "TPS", "transactions", "p50 ms", "p95", "p99", "max"],
                       [[row["phase"], f"{row['tps'] or 0:,.0f}", row["transactions"], row["p50"],
                         row["p95"], row["p99"], row["max"]] for row in rows]))
    print(f"idle for {resting['seconds']} s: {resting['cpu_percent']} % of a core, "
          f"{resting['wakeups_per_second']} wake-ups/s")
    report.write(asked.json, {"bench": "latency", "before": before, "after": report.machine(),
                              "interval_ms": asked.interval, "phases": rows, "idle": resting})


if __name__ == "__main__":
    sys.exit(main())
