#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares JSON-lines files of replicant with the server's own account of its WAL.

Every transaction that the server committed in published tables has to be in the files exactly once, in
commit order, with the same xid, commit time, rows, operations, keys and values; nothing else may be
there; every line has to be strict JSON and every commit line has to tell the truth. Prints what was
compared and "lost N, duplicated N". Differences are named by position, never by value.
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
    """Pairs the transactions of both sides by xid and judges each pair."""

    def __init__(self):
        self.right = {}  # xid -> (index, transaction): not yet seen in the file
        self.ours = {}  # xid -> (index, transaction): not yet seen in the oracle
        self.paired = {}  # xid -> its index in the file
        self.transactions = 0
        self.changes = 0
        self.duplicated = 0
        self.last_pair = (-1, -1)
        self.last_end = 0
        self.problems = []

    def tell(self, transaction, what):
        self.problems.append(f"xid {transaction.xid}, commit {place_of(transaction)}: {what}")

    def take_right(self, index, transaction):
        """A transaction of the oracle; its xids are unique as long as they do not wrap."""
        if found := self.ours.pop(transaction.xid, None):
            self.pair(*found, index, transaction)
        else:
            self.right[transaction.xid] = (index, transaction)

    def take_ours(self, index, transaction):
        if transaction.xid in self.paired or transaction.xid in self.ours:
            self.duplicated += 1
            self.tell(transaction, "DUPLICATED")
        elif found := self.right.pop(transaction.xid, None):
            self.pair(index, transaction, *found)
        else:
            self.ours[transaction.xid] = (index, transaction)

    def pair(self, our_index, ours, right_index, right):
        self.paired[ours.xid] = our_index
        self.transactions += 1
        self.changes += len(ours.events)
        if (our_index > self.last_pair[0]) != (right_index > self.last_pair[1]):
            self.tell(ours, "not in commit order")
        self.last_pair = (our_index, right_index)
        # The oracle knows where commit records end. Ours begins there, and behind the one before.
        if not ours.commit_lsn < right.end:
            self.tell(ours, f"the commit record ends at {lsn_text(right.end)}")
        if self.last_end <= right.end:
            if ours.commit_lsn < self.last_end:
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
    parser.add_argument("--crc-every", type=int, default=1, metavar="N",
                        help="check the checksums of about one commit line in N only")
    return parser.parse_args(arguments)


def main(arguments=None):
    asked = parsed(arguments)
    with (contextlib.ExitStack() as opened,
          open(asked.oracle, encoding="utf-8", newline="\n") as text):
        reader = Reader([opened.enter_context(open(name, "rb")) for name in asked.files],
                        asked.crc_every)
        try:
            result = compare(reader.transactions(), read_transactions(
                text, frozenset(asked.unpublished)), lsn_of(asked.origin))
        except Malformed as problem:
            print(f"the oracle cannot be read: {problem}")
            return 1
    lost = result.finish()
    problems = reader.problems + result.problems
    for problem in problems[:MOST_SHOWN]:
        print(f"  {problem}")
    if len(problems) > MOST_SHOWN:
        print(f"  and {len(problems) - MOST_SHOWN} more")
    print(f"compared {result.transactions} transactions with {result.changes} changes, "
          f"{reader.lines} lines, {reader.checked_sums} checksums")
    print(f"lost {lost}, duplicated {result.duplicated}")
    return 1 if problems or lost or result.duplicated else 0


if __name__ == "__main__":
    sys.exit(main())
