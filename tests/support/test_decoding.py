# SPDX-License-Identifier: MIT
"""Reads what PostgreSQL's test_decoding says: an account of the WAL that shares no code with us.

The input is COPY text of (lsn, xid, data), as

    COPY (SELECT lsn, xid, data FROM pg_logical_slot_get_changes('oracle', NULL, NULL,
          'include-xids', '1', 'include-timestamp', '1')) TO ...

writes it in a session with the settings that replicant pins (above all TimeZone = UTC and
extra_float_digits = 3).
"""

import re

from oracle_events import (Event, Malformed, Transaction, Value, array_text, lsn_of, message_alone,
                           message_event)

COPY_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
COPY_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
COMMIT = re.compile(r"COMMIT (\d+) \(at (\S+) (\S+)\+00\)")
MESSAGE = re.compile(r"message: transactional: ([01]) prefix: (.*), sz: \d+ content:(.*)", re.DOTALL)
IDENTIFIER = re.compile(r'"((?:[^"]|"")*)"|([^\s".:,\[\]]+)')
# The types that JSON shows as numbers; test_decoding leaves numeric and oid bare too.
NUMBERS = {"smallint", "integer", "bigint", "real", "double precision"}
JSON_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
UNCHANGED = object()


ARRAY_TOKEN = re.compile(r'[{},]|"((?:[^"\\]|\\.)*)"|([^{},"]+)', re.DOTALL)


def elements_of(literal):
    """The elements of an array's literal, as nested lists."""
    levels = [[]]
    for token in ARRAY_TOKEN.finditer(literal):
        if token[0] == "{":
            levels.append([])
        elif token[0] == "}":
            done = levels.pop()
            levels[-1].append(done)
        elif token[1] is not None:
            levels[-1].append(re.sub(r"\\(.)", r"\1", token[1], flags=re.DOTALL))
        elif token[2] is not None:
            levels[-1].append(None if token[2] == "NULL" else token[2])
    return levels[0][0]


class Cursor:
    """Walks over the text of one change."""

    def __init__(self, text, at=0):
        self.text = text
        self.at = at

    def skip(self, literal):
        if not self.text.startswith(literal, self.at):
            return False
        self.at += len(literal)
        return True

    def expect(self, literal):
        if not self.skip(literal):
            raise Malformed(f"test_decoding: byte {self.at} of a change")

    def at_end(self):
        return self.at == len(self.text)

    def identifier(self):
        found = IDENTIFIER.match(self.text, self.at)
        if not found:
            raise Malformed(f"test_decoding: no name at byte {self.at} of a change")
        self.at = found.end()
        return found[2] if found[1] is None else found[1].replace('""', '"')

    def table(self):
        schema = self.identifier()
        self.expect(".")
        return schema, self.identifier()

    def type_name(self):
        """The type in brackets; it may hold brackets itself (integer[]) and quoted names."""
        self.expect("[")
        start, depth, quoted = self.at, 1, False
        while depth:
            if self.at_end():
                raise Malformed("test_decoding: a type without end")
            char = self.text[self.at]
            quoted ^= char == '"'
            depth += 0 if quoted else (char == "[") - (char == "]")
            self.at += 1
        return self.text[start:self.at - 1]

    def quoted_text(self):
        """What follows an opening quote, up to the closing one; quotes inside are doubled."""
        start = self.at
        while True:
            end = self.text.find("'", self.at)
            if end < 0:
                raise Malformed("test_decoding: a value without end")
            self.at = end + 1
            if not self.skip("'"):
                return self.text[start:end].replace("''", "'")

    def value(self, type_name):
        if self.skip("null"):
            return None
        if self.skip("unchanged-toast-datum"):
            return UNCHANGED
        if self.skip("B'") or self.skip("'"):
            text = self.quoted_text()
            # Bounds of its own make it a string.
            if type_name.endswith("[]") and text.startswith("{"):
                return Value("array", array_text(elements_of(text)))
            return Value("string", text)
        end = self.text.find(" ", self.at)
        text = self.text[self.at:end if end >= 0 else len(self.text)]
        self.at += len(text)
        if type_name == "boolean":
            return Value("boolean", text)
        numeric = type_name in NUMBERS and JSON_NUMBER.fullmatch(text)
        return Value("number" if numeric else "string", text)

    def row(self):
        """Reads columns up to the end or to the next part. @returns the row and what is unchanged."""
        row, unchanged = [], []
        while not self.at_end() and not self.text.startswith(" new-tuple:", self.at):
            self.expect(" ")
            name = self.identifier()
            type_name = self.type_name()
            self.expect(":")
            value = self.value(type_name)
            if value is UNCHANGED:
                unchanged.append(name)
            else:
                row.append((name, value))
        return row, tuple(unchanged)


def truncate_events(tables, flags):
    return [Event("truncate", schema, table, cascade=" cascade" in flags,
                  restart_identity=" restart_seqs" in flags) for schema, table in tables]


def events_of(data):
    """The events of one line that begins with "table "."""
    cursor = Cursor(data, len("table "))
    tables = [cursor.table()]
    while cursor.skip(", "):
        tables.append(cursor.table())
    cursor.expect(": ")
    if cursor.skip("TRUNCATE:"):
        return truncate_events(tables, data[cursor.at:])
    schema, table = tables[0]
    if cursor.skip("INSERT:"):
        record, unchanged = cursor.row()
        return [Event("insert", schema, table, record, unchanged=unchanged)]
    if cursor.skip("DELETE:"):
        old = None if cursor.skip(" (no-tuple-data)") else cursor.row()[0]
        return [Event("delete", schema, table, old=old)]
    cursor.expect("UPDATE:")
    old = cursor.row()[0] if cursor.skip(" old-key:") else None
    if old is not None:
        cursor.expect(" new-tuple:")
    record, unchanged = cursor.row()
    return [Event("update", schema, table, record, old, unchanged)]


def copy_fields(line):
    return [COPY_ESCAPE.sub(lambda found: COPY_ESCAPES.get(found[1], found[1]), field)
            for field in line.rstrip("\n").split("\t")]


def read_transactions(lines, unpublished=frozenset(), messages=False):
    """Yields the transactions in commit order, without the tables named ("schema.table") and without
    those transactions that changed nothing else. With `messages` those of both kinds too, where the
    WAL has them."""
    events = []
    for number, line in enumerate(lines, 1):
        try:
            lsn, xid, data = copy_fields(line)
            if data.startswith("BEGIN "):
                events = []
            elif data.startswith("table "):
                events += [one for one in events_of(data)
                           if f"{one.schema}.{one.table}" not in unpublished]
            elif found := COMMIT.fullmatch(data):
                if events:
                    # test_decoding leaves the zeros at the end of a fraction away.
                    day, clock = found[2], found[3]
                    whole, _, fraction = clock.partition(".")
                    time = f"{day}T{whole}.{fraction:0<6}Z"
                    yield Transaction(int(xid), None, lsn_of(lsn), time, events)
            elif found := MESSAGE.fullmatch(data):
                if messages and found[1] == "1":
                    events.append(message_event(found[2], found[3], lsn_of(lsn)))
                elif messages:
                    yield message_alone(found[2], found[3], lsn_of(lsn))
            else:
                raise Malformed("test_decoding: a line of no known kind")
        except (Malformed, ValueError) as problem:
            raise Malformed(f"line {number} of the oracle: {problem}" if isinstance(
                problem, Malformed) else f"line {number} of the oracle: not COPY text") from None
