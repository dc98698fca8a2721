#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares JSON-lines files of replicant with the server's own account of its WAL.

Every transaction that the server committed in published tables has to be in the files exactly once, in
commit order, with the same xid, commit time, rows, operations, keys and values; nothing else may be
there; every line has to be strict JSON and every commit line has to tell the truth. With --messages
the same holds of pg_logical_emit_message's messages of both kinds. Prints what was compared and "lost N, duplicated N". Differences are named by position, never by value.
Exit code: 0 only when there is no difference, 1 when there is one, 2 for wrong arguments.
"""

import argparse
import contextlib
import sys

from jsonl_transactions import Reader
from oracle_events import Malformed, lsn_of, lsn_text, where_events_differ
from test_decoding import read_transactions

MOST_SHOWN = 20


class Comparison:
    """Pairs the transactions of both sides by key and judges each pair."""

    def __init__(self):
        self.right = {}  # key -> (index, transaction): not yet seen in the file
        self.ours = {}  # key -> (index, transaction): not yet seen in the oracle
        self.paired = {}  # key -> its index in the file
        self.transactions = 0
        self.changes = 0
        self.messages = 0
        self.duplicated = 0
        self.last_pair = (-1, -1)
        self.last_end = 0
        self.problems = []

    def tell(self, transaction, what):
        which = "message" if transaction.xid is None else f"xid {transaction.xid}, commit"
        self.problems.append(f"{which} {place_of(transaction)}: {what}")

    def take_right(self, index, transaction):
        if found := self.ours.pop(transaction.key(), None):
            self.pair(*found, index, transaction)
        else:
            self.right[transaction.key()] = (index, transaction)

    def take_ours(self, index, transaction):
        key = transaction.key()
        if key in self.paired or key in self.ours:
            self.duplicated += 1
            self.tell(transaction, "DUPLICATED")
        elif found := self.right.pop(key, None):
            self.pair(index, transaction, *found)
        else:
            self.ours[key] = (index, transaction)

    def pair(self, our_index, ours, right_index, right):
        self.paired[ours.key()] = our_index
        self.transactions += ours.xid is not None
        self.messages += sum(one.op == "message" for one in ours.events)
        self.changes += sum(one.op != "message" for one in ours.events)
        if (our_index > self.last_pair[0]) != (right_index > self.last_pair[1]):
            self.tell(ours, "not in commit order")
        self.last_pair = (our_index, right_index)
        # The oracle knows where records end. A commit record of ours begins before its end, and
        # behind the one before.
        start = right.end - 1 if ours.xid is None else ours.commit_lsn
        if not start < right.end:
            self.tell(ours, f"the commit record ends at {lsn_text(right.end)}")
        if self.last_end <= right.end:
            if start < self.last_end:
                self.tell(ours, f"the commit before ends at {lsn_text(self.last_end)}")
            self.last_end = right.end
        if ours.commit_time != right.commit_time:
            self.tell(ours, "another commit time")
        self.compare_events(ours, right)

    def compare_events(self, ours, right):
        if len(ours.events) != len(right.events):
            self.tell(ours, f"{len(ours.events)} changes instead of {len(right.events)}")
        for ordinal, (one, other) in enumerate(zip(ours.events, right.events)):
            if found := where_events_differ(one, other):
                self.tell(ours, f"change {ordinal} differs in {found}")
                return

    def finish(self):
        """@returns how many are lost."""
        for _, transaction in self.right.values():
            self.tell(transaction, "LOST")
        for _, transaction in self.ours.values():
            # A transaction without rows has changed unpublished tables only.
            if transaction.events:
                self.tell(transaction, "the server has not committed it in published tables")
        return len(self.right)


def place_of(transaction):
    return (f"at {lsn_text(transaction.commit_lsn)}" if transaction.end is None else
            f"before {lsn_text(transaction.end)}")


def compare(ours, oracle, origin):
    """Walks over both sides in step, so that only what differs has to be remembered."""
    result = Comparison()
    ours = enumerate(ours)
    oracle = ((i, one) for i, one in enumerate(oracle) if one.end > origin)
    while True:
        mine, right = next(ours, None), next(oracle, None)
        if mine is None and right is None:
            return result
        if right:
            result.take_right(*right)
        if mine:
            result.take_ours(*mine)


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="file",
                        help="the JSON-lines files, in the order of the stream")
    parser.add_argument("oracle", help="test_decoding's output as COPY text (lsn, xid, data)")
    parser.add_argument("--unpublished", action="append", default=[], metavar="SCHEMA.TABLE",
                        help="a table that the publication does not hold; may be repeated")
    parser.add_argument("--origin", default="0/0", metavar="LSN", help="the slot's consistent "
                        "point: commit records before it are not expected")
    parser.add_argument("--messages", action="store_true",
                        help="the files hold messages too, of both kinds")
    parser.add_argument("--crc-every", type=int, default=1, metavar="N",
                        help="check the checksums of about one commit line in N only")
    return parser.parse_args(arguments)


def main(arguments=None):
    asked = parsed(arguments)
    with (contextlib.ExitStack() as opened,
          open(asked.oracle, encoding="utf-8", newline="\n") as text):
        reader = Reader([opened.enter_context(open(name, "rb")) for name in asked.files],
                        asked.crc_every, asked.messages)
        try:
            result = compare(reader.transactions(), read_transactions(
                text, frozenset(asked.unpublished), asked.messages), lsn_of(asked.origin))
        except Malformed as problem:
            print(f"the oracle cannot be read: {problem}")
            return 1
    lost = result.finish()
    problems = reader.problems + result.problems
    for problem in problems[:MOST_SHOWN]:
        print(f"  {problem}")
    if len(problems) > MOST_SHOWN:
        print(f"  and {len(problems) - MOST_SHOWN} more")
    messages = f"{result.messages} messages, " if asked.messages else ""
    print(f"compared {result.transactions} transactions with {result.changes} changes, "
          f"{messages}{reader.lines} lines, {reader.checked_sums} checksums")
    print(f"lost {lost}, duplicated {result.duplicated}")
    return 1 if problems or lost or result.duplicated else 0


if __name__ == "__main__":
    sys.exit(main())
