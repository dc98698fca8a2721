# SPDX-License-Identifier: MIT
"""A throw-away PostgreSQL server of our own."""

import glob
import os
import pwd
import shutil
import socket
import subprocess
import tempfile


def bin_folder():
    """The newest server that Debian's packages have installed."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    if not folders:
        raise SystemExit("there is no PostgreSQL server; install postgresql-15")
    return max(folders, key=lambda one: float(one.split("/")[4]))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Made, started, and removed with everything in it at the end of a `with` block."""

    def __init__(self, settings=None):
        self.bin = bin_folder()
        self.folder = tempfile.mkdtemp(prefix="replicant-bench.")
        self.port = free_port()
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
        os.chmod(self.folder, 0o755)
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                  "--no-locale", "-N")
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf8") as conf:
            for name, value in self.settings.items():
                conf.write(f"{name} = '{value}'\n")
        self._run("pg_ctl", "-D", self.data, "-l", self.folder + "/server.log", "-w", "-s", "start")
        return self

    def __exit__(self, *_):
        self._run("pg_ctl", "-D", self.data, "-w", "-s", "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self):
        return self.folder + "/data"

    def _run(self, program, *arguments):
        user = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            postgres = pwd.getpwnam("postgres")
            user = {"user": postgres.pw_uid, "group": postgres.pw_gid, "extra_groups": []}
        subprocess.run([self.bin + "/" + program, *arguments], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, **user)

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
