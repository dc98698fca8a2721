# SPDX-License-Identifier: MIT
"""Reads JSON-lines files of replicant, strictly: every line is judged, nothing is skipped."""

import base64
import json
import struct

from oracle_events import Event, Malformed, Transaction, Value, array_text, lsn_of

CASTAGNOLI = 0x82F63B78


def remainder_of_byte(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (CASTAGNOLI if byte & 1 else 0)
    return byte


CRC_OF_BYTE = [remainder_of_byte(byte) for byte in range(1 << 8)]


def shift_byte(crc):
    return crc >> 8 ^ CRC_OF_BYTE[crc & 0xFF]


# Two bytes per step make the loop below twice as fast.
CRC_OF_PAIR = [shift_byte(shift_byte(pair)) for pair in range(1 << 16)]


def crc32c(data):
    crc = 0xFFFFFFFF
    for pair in struct.unpack(f"<{len(data) // 2}H", data[:len(data) & ~1]):
        crc = crc >> 16 ^ CRC_OF_PAIR[(crc ^ pair) & 0xFFFF]
    if len(data) & 1:
        crc = shift_byte(crc ^ data[-1])
    return crc ^ 0xFFFFFFFF


class Number(str):
    """A number's own text: no rounding on the way."""


def object_without_doubles(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key twice")
    return members


def refuse_constant(_):
    raise ValueError("not JSON")


DECODER = json.JSONDecoder(object_pairs_hook=object_without_doubles, parse_int=Number,
                           parse_float=Number, parse_constant=refuse_constant)

KEYS = {
    "header": {"format", "system_identifier", "database", "slot_name"},
    "begin": {"xid", "commit_lsn", "commit_time"},
    "commit": {"xid", "commit_lsn", "changes", "bytes", "crc32c"},
    "progress": {"lsn"},
    "state": {"name", "content_base64"},
    "schema_change": {"schema", "table", "commit_lsn", "changes", "columns", "key"},
}
OPTIONAL = {"header": {"start", "state_bytes"}}


def parse(line):
    if not line.endswith(b"\n"):
        raise Malformed("torn")
    try:
        members = DECODER.decode(line[:-1].decode("utf-8"))
    except ValueError:
        raise Malformed("not strict JSON") from None
    if not isinstance(members, dict) or "kind" not in members:
        raise Malformed("no object with a kind")
    kind = members.pop("kind")
    if kind in KEYS and members.keys() - OPTIONAL.get(kind, set()) != KEYS[kind]:
        raise Malformed(f"wrong members of a {kind} line")
    return kind, members


def value_of(cell):
    if cell is None:
        return None
    if isinstance(cell, bool):
        return Value("boolean", "true" if cell else "false")
    if isinstance(cell, Number):
        return Value("number", str(cell))
    if isinstance(cell, str):
        return Value("string", cell)
    if isinstance(cell, list):
        return Value("array", array_text(texts_of(cell)))
    raise Malformed("a value of no known form")


def texts_of(elements):
    """What PostgreSQL prints for the elements of an array."""
    return [texts_of(one) if isinstance(one, list) else
            {True: "t", False: "f"}[one] if isinstance(one, bool) else
            None if one is None else str(one) for one in elements]


def row_of(members, name):
    row = members.pop(name, None)
    return None if row is None else [(column, value_of(cell)) for column, cell in row.items()]


def event_of(members):
    event = Event(members.pop("op"), members.pop("schema"), members.pop("table"),
                  row_of(members, "record"), row_of(members, "old"),
                  tuple(members.pop("unchanged", ())), members.pop("cascade", False),
                  members.pop("restart_identity", False))
    if members:
        raise Malformed("unknown members of a change line")
    return event


class Reader:
    """Yields the transactions of files that continue each other and collects what is wrong with the
    files themselves. Each begins with a header that says where the one before ended."""

    def __init__(self, files, crc_every=1):
        self.files = files
        self.crc_every = crc_every
        self.checked_sums = 0
        self.position = -1  # of the last transaction, message or progress line
        self.lines = 0  # of all files
        self.file = 0
        self.number = 0  # of the line in its file
        self.open = None
        self.announced = 0  # schema_change lines of the open transaction
        self.text = []
        self.state = None  # name -> content; nobody knows it before the first header
        self.repeated = {}  # what the file begins with
        self.left_to_repeat = 0  # bytes of it
        self.unfinished = False  # state whose unit has not come yet
        self.problems = []

    def transactions(self):
        for self.file, file in enumerate(self.files, 1):
            for self.number, line in enumerate(file, 1):
                self.lines += 1
                if done := self.judge(line):
                    yield done
            if self.open:
                self.tell("the last transaction has no end")
                self.open = None
            if self.left_to_repeat > 0:
                self.tell("not all state that it begins with")
            if self.unfinished:
                self.tell("state without what it belongs to")

    def judge(self, line):
        """@returns a transaction when this line ends one."""
        try:
            kind, members = parse(line)
            if (kind == "header") != (self.number == 1):
                raise Malformed("a header belongs at the start, and only there")
            if kind == "state" and not self.open:
                return self.take_state(members, len(line))
            if self.left_to_repeat > 0:
                raise Malformed("not all state that it begins with")
            self.unfinished = False
            return self.take(kind, members, line)
        except Malformed as problem:
            self.tell(str(problem))
        except (KeyError, TypeError, ValueError, AttributeError):
            self.tell("members are missing or of the wrong type")
        return None

    def tell(self, what):
        which = f"file {self.file}" if len(self.files) > 1 else "the file"
        self.problems.append(f"line {self.number} of {which}: {what}")

    def take(self, kind, members, line):
        """@returns a transaction when this line ends one."""
        if self.open:
            if kind == "commit":
                return self.commit(members)
            self.text.append(line)
            if kind == "change":
                self.change(members)
            elif kind == "schema_change" and len(self.text) == self.announced + 2:
                self.announced += 1
            elif kind != "message":
                raise Malformed(f"a {kind} line inside of a transaction")
        elif kind == "begin":
            self.open = Transaction(int(members["xid"]), lsn_of(members["commit_lsn"]), None,
                                    members["commit_time"], [])
            self.text = [line]
            self.announced = 0
        elif kind == "progress":
            self.advance(lsn_of(members["lsn"]))
        elif kind == "header":
            self.header(members)
        elif kind == "message":
            # The next record may begin where the message's ends.
            self.advance(lsn_of(members["lsn"]) - 1)
        else:
            raise Malformed("a line out of place or of no known kind")
        return None

    def header(self, members):
        start = lsn_of(members["start"]) if "start" in members else -1
        if start != self.position:
            self.tell("it does not start where the file before ends")
        self.repeated = {}
        self.left_to_repeat = int(members.get("state_bytes", 0))
        if self.left_to_repeat == 0:
            self.compare_state()

    def take_state(self, members, length):
        name, content = members["name"], base64.b64decode(members["content_base64"], validate=True)
        if self.left_to_repeat > 0:
            self.repeated[name] = content
            self.left_to_repeat -= length
            if self.left_to_repeat < 0:
                self.tell("more state than it should begin with")
            if self.left_to_repeat <= 0:
                self.compare_state()
            return
        self.unfinished = True
        if self.state.get(name, b"") == content:
            self.tell("state that was known already")
        self.state[name] = content
        if not content:
            del self.state[name]

    def compare_state(self):
        """The state that a file begins with is all that the files before it have left."""
        self.left_to_repeat = 0
        if self.state not in (None, self.repeated):
            self.tell("it does not begin with the state of the file before")
        self.state = self.repeated

    def change(self, members):
        if lsn_of(members.pop("commit_lsn")) != self.open.commit_lsn:
            raise Malformed("a change of another transaction")
        if int(members.pop("ordinal")) != len(self.text) - self.announced - 2:
            raise Malformed("wrong ordinal")
        self.open.events.append(event_of(members))

    def commit(self, members):
        done, self.open = self.open, None
        if (int(members["xid"]), lsn_of(members["commit_lsn"])) != (done.xid, done.commit_lsn):
            raise Malformed("begin and commit differ")
        self.advance(done.commit_lsn)
        if int(members["changes"]) != len(done.events):
            self.tell("wrong count of changes")
        text = b"".join(self.text)
        if int(members["bytes"]) != len(text):
            self.tell("wrong count of bytes")
        if self.lines % self.crc_every == 0 or self.crc_every == 1:
            self.checked_sums += 1
            if members["crc32c"] != f"{crc32c(text):08x}":
                self.tell("wrong checksum")
        return done

    def advance(self, position):
        if position <= self.position:
            self.tell("a position that does not ascend")
        self.position = max(position, self.position)
