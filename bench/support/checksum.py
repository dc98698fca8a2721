# SPDX-License-Identifier: MIT
"""Whether the null sink was given what the server sent, by a decoder that shares no code with it."""

import struct
import sys

from consumers import Recvlogical


def _crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = _crc32c_table()


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = value >> 8 ^ TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


OPERATIONS = {b"I": 0, b"U": 1, b"D": 2}
KINDS = {b"n": 0, b"u": 1, b"t": 2, b"b": 3}
OLD = {b"K": 1, b"O": 2}


class Reader:
    """Walks over what pg_recvlogical has written: messages of pgoutput, each with a newline behind
    it. How long a message is, only its content tells."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, form):
        return struct.unpack(">" + form, self.take(struct.calcsize(">" + form)))[0]

    def text(self):
        end = self.data.index(0, self.at)
        self.at = end + 1

    def row(self):
        cells = []
        for _ in range(self.number("h")):
            kind = self.take(1)
            cells.append((KINDS[kind], self.take(self.number("i")) if kind in b"tb" else b""))
        return cells

    def relation(self):
        self.number("I"), self.text(), self.text(), self.take(1)
        for _ in range(self.number("h")):
            self.take(1), self.text(), self.take(8)


def announce(kind, size):
    return struct.pack("<BQ", kind, size)


def change_bytes(operation, old_kind, record, old):
    parts = [struct.pack("BBBB", operation, old_kind, 0, 0)]
    for row in (record, old):
        parts.append(announce(0xFD, len(row)))
        for kind, content in row:
            parts += (announce(kind, len(content)), content)
    return b"".join(parts)


def expected(data):
    """The checksum that the null sink has to come to."""
    reader, parts, rows = Reader(data), [], 0
    while reader.at < len(data):
        tag = reader.take(1)
        if tag == b"B":
            reader.take(20)
        elif tag == b"C":
            reader.take(25)
        elif tag == b"R":
            reader.relation()
        elif tag in OPERATIONS:
            reader.take(4)
            mark, old_kind, old, record = reader.take(1), 0, [], []
            if mark in OLD:
                old_kind, old = OLD[mark], reader.row()
                mark = reader.take(1) if tag == b"U" else b""
            if mark == b"N":
                record = reader.row()
            parts.append(change_bytes(OPERATIONS[tag], old_kind, record, old))
            rows += 1
        else:
            raise SystemExit(f"the independent decoder does not know {tag!r}")
        assert reader.take(1) == b"\n"
    return rows, f"{crc32c(b''.join(parts)):08x}"


def compare(server, workload, null, end):
    """Drains copies of slot `base` twice, and ends the program when the two disagree."""
    for slot in ("check_server", "check_null"):
        server.sql(f"SELECT pg_copy_logical_replication_slot('base', '{slot}')")
    sent = Recvlogical(server.folder + "/sent")
    sent.drain(server, "check_server", workload, "unix", end)
    with open(sent.target, "rb") as file:
        rows, checksum = expected(file.read())
    words = null.drain(server, "check_null", workload, "unix", end)["words"]
    if rows < workload.rows or f" {rows} rows" not in words or not words.endswith(checksum):
        raise SystemExit(f"{workload.name}: the server sent {rows} rows with checksum {checksum}, "
                         f"but replicant says: {words}")
    print(f"  {workload.name}: the checksum of {rows} rows is that of an independent decoder",
          file=sys.stderr)
