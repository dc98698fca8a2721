# SPDX-License-Identifier: MIT
"""What a JSON-lines file of replicant and the server's own test_decoding are compared as."""

import json
from typing import NamedTuple, Optional


class Value(NamedTuple):
    """A cell: how JSON has to show it (number, boolean, string, array) and PostgreSQL's text of it;
    of an array, `array_text` of the texts of its elements."""

    form: str
    text: str


# A row is a list of (column name, Value or None for null), in the order of the table's columns.
Row = list


class Event(NamedTuple):
    """One change, or one relation of a truncate."""

    op: str
    schema: str
    table: str
    record: Optional[Row] = None
    old: Optional[Row] = None
    unchanged: tuple = ()
    cascade: bool = False
    restart_identity: bool = False


def message_event(prefix, content, position):
    """A message of pg_logical_emit_message, whose record ends at `position`."""
    return Event("message", prefix, content, [("lsn", Value("string", lsn_text(position)))])


class Transaction(NamedTuple):
    """A committed transaction. `end` is where its commit record ends: known to the oracle only.
    A message that stands outside of transactions is one without xid, and both sides know its end."""

    xid: Optional[int]
    commit_lsn: Optional[int]
    end: Optional[int]
    commit_time: str
    events: list

    def key(self):
        """What it is paired by; xids are unique as long as they do not wrap."""
        return ("message", self.end) if self.xid is None else self.xid


def message_alone(prefix, content, position):
    return Transaction(None, None, position, "", [message_event(prefix, content, position)])


def array_text(elements):
    """One spelling for a list of texts, None for NULL, and such lists."""
    return json.dumps(elements)


class Malformed(Exception):
    """An input is not what it should be. Its text names the place, never a value."""


def lsn_of(text):
    """Reads PostgreSQL's text of a position."""
    high, slash, low = text.partition("/")
    if not slash or not 0 < len(low) <= 8:
        raise Malformed("not a position")
    return int(high, 16) << 32 | int(low, 16)


def lsn_text(position):
    return f"{position >> 32:X}/{position & 0xFFFFFFFF:X}"


def where_events_differ(ours, right):
    """Says where two events differ, by name of the part and number of the column; None if they do
    not. A key image has no nulls for the oracle, so those of an old row are left out."""
    for part in ("op", "schema", "table", "unchanged", "cascade", "restart_identity"):
        if getattr(ours, part) != getattr(right, part):
            return part
    return where_rows_differ("record", ours.record, right.record) or where_rows_differ(
        "old", without_nulls(ours.old), without_nulls(right.old))


def without_nulls(row):
    return None if row is None else [cell for cell in row if cell[1] is not None]


def where_rows_differ(part, ours, right):
    if ours is None or right is None:
        return None if ours is right else f"{part} (only one side has it)"
    if len(ours) != len(right):
        return f"{part} (number of columns)"
    for number, (one, other) in enumerate(zip(ours, right), 1):
        if one != other:
            return f"{part}, column {number}"
    return None
