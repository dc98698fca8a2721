# SPDX-License-Identifier: MIT
"""A throw-away PostgreSQL server of our own."""

import glob
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from process import die_with_parent


def bin_folder():
    """Where the tests would take it from, or the newest server that Debian's packages have installed."""
    if given := os.environ.get("REPLICANT_PG_BIN"):
        return given
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    if not folders:
        raise SystemExit("there is no PostgreSQL server; install postgresql-15")
    return max(folders, key=lambda one: float(one.split("/")[4]))


def free_port():
    """Below the ports that the kernel gives to clients, so that none of them takes it meanwhile."""
    while True:
        with socket.socket() as probe:
            try:
                port = random.randint(15000, 32000)
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


# Transactions that the server streams, or spills, are small ones then.
STREAM_EARLY = {"logical_decoding_work_mem": "64kB"}


class Server:
    """Made, started, and removed with everything in it at the end of a `with` block."""

    def __init__(self, settings=None):
        self.bin = bin_folder()
        self.folder = tempfile.mkdtemp(prefix="replicant-bench.")
        self.port = free_port()
        self.process = None
        self.settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.folder,
            "wal_level": "logical",
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "max_wal_size": "16GB",
            "max_replication_slots": 30,
            "max_wal_senders": 30,
            "autovacuum": "off",
            "shared_buffers": "1GB",
        } | (settings or {})

    def __enter__(self):
        try:
            self._make()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make(self):
        os.chmod(self.folder, 0o755)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        subprocess.run([self.bin + "/initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                        "--no-locale", "-N"], check=True, cwd="/", stdout=subprocess.DEVNULL, **self._user())
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf8") as conf:
            for name, value in self.settings.items():
                conf.write(f"{name} = '{value}'\n")

    def _start(self):
        with open(self.folder + "/server.log", "wb") as log:
            self.process = subprocess.Popen(
                [self.bin + "/postgres", "-D", self.data], cwd="/", stdout=log, stderr=log,
                preexec_fn=die_with_parent(signal.SIGQUIT), **self._user())
        while subprocess.run([self.bin + "/pg_isready", "-q", "-d", self.conninfo()], check=False).returncode:
            if self.process.poll() is not None:
                with open(self.folder + "/server.log", encoding="utf8") as log:
                    raise SystemExit("the server did not start: " + log.read())
            time.sleep(0.05)

    @staticmethod
    def _user():
        if os.geteuid() != 0:
            return {}
        postgres = pwd.getpwnam("postgres")  # PostgreSQL refuses to run as root.
        return {"user": postgres.pw_uid, "group": postgres.pw_gid, "extra_groups": []}

    @property
    def data(self):
        return self.folder + "/data"

    @property
    def pid(self):
        return self.process.pid

    def host(self, transport):
        return self.folder if transport == "unix" else "127.0.0.1"

    def conninfo(self, transport="unix"):
        return f"host={self.host(transport)} port={self.port} dbname=postgres user=postgres"

    def sql(self, text):
        """Runs statements, each on its own; returns what the last one printed."""
        done = subprocess.run(
            [self.bin + "/psql", "-d", self.conninfo(), "-XAtq", "-v", "ON_ERROR_STOP=1"],
            input=text, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        return done.stdout.strip()
