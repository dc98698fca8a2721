# SPDX-License-Identifier: MIT
"""A comparison that cannot fail proves nothing: every kind of difference has to be found."""

import base64
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from compare_with_oracle import main  # noqa: E402
from jsonl_transactions import crc32c  # noqa: E402
from test_decoding import events_of  # noqa: E402

TIME = "2026-07-14T10:00:00.120000Z"
HEADER = {"kind": "header", "format": 1, "system_identifier": "7", "database": "d", "slot_name": "s"}
CANARY = "it's\na \"secret\" \\ value"


def change(op, table="t", **images):
    return {"kind": "change", "op": op, "schema": "public", "table": table, **images}


# (xid, start and end of the commit record, changes, what test_decoding says of them)
WORLD = [
    (7, 0x100, 0x130, [
        change("insert", record={"id": 1, "note": CANARY, "flag": True, "price": "3.10", "f": 1.5}),
        change("insert", record={"id": 2, "note": None, "flag": None, "price": None, "f": "NaN"}),
    ], [
        "table public.t: INSERT: id[integer]:1 note[text]:'it''s\na \"secret\" \\ value'"
        " flag[boolean]:true price[numeric]:3.10 f[double precision]:1.5",
        "table public.t: INSERT: id[integer]:2 note[text]:null flag[boolean]:null"
        " price[numeric]:null f[double precision]:NaN",
    ]),
    (9, 0x200, 0x230, [
        change("update", record={"id": 3, "note": "x"}, old={"id": 2}),
        change("update", record={"id": 3}, unchanged=["note"]),
        change("update", "full", record={"a": 1, "b": None}, old={"a": None, "b": 5}),
        change("delete", old={"id": 3}),
    ], [
        "table public.t: UPDATE: old-key: id[integer]:2 new-tuple: id[integer]:3 note[text]:'x'",
        "table public.t: UPDATE: id[integer]:3 note[text]:unchanged-toast-datum",
        "table public.unpublished: INSERT: \"odd [a]: b\"[integer[]]:'{1}'",
        "table public.\"full\": UPDATE: old-key: b[integer]:5 new-tuple: a[integer]:1 b[integer]:null",
        "table public.t: DELETE: id[integer]:3",
    ]),
    (8, 0x300, 0x330, [
        change("truncate", cascade=True, restart_identity=False),
        change("truncate", "full", cascade=True, restart_identity=False),
    ], ["table public.t, public.unpublished, public.\"full\": TRUNCATE: cascade"]),
    (11, 0x400, 0x430, [change("insert", record={
        "id": 5, "tags": ["a b", None, "NULL", "", "q\"\\'"], "grid": [[1, None], [2, 3]],
        "bits": [True, False], "none": [], "bounds": "[0:0]={7}"})],
     ["table public.t: INSERT: id[integer]:5 tags[text[]]:'{\"a b\",NULL,\"NULL\",\"\","
      "\"q\\\"\\\\''\"}' grid[integer[]]:'{{1,NULL},{2,3}}' bits[boolean[]]:'{t,f}'"
      " none[text[]]:'{}' bounds[integer[]]:'[0:0]={7}'"]),
]


def line(members):
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"


def continued(start):
    """The header of a file that is not the first."""
    return line({**HEADER, "start": start})


def state(name, content):
    return line({"kind": "state", "name": name, "content_base64": base64.b64encode(content).decode()})


def lsn(position):
    return f"0/{position:X}"


def file_of(world):
    """The lines of a right file, a list per transaction; the header stands alone."""
    blocks = [[line(HEADER), line({"kind": "progress", "lsn": "0/50"})]]
    for xid, commit, _, changes, _ in world:
        block = [line({"kind": "begin", "xid": xid, "commit_lsn": lsn(commit), "commit_time": TIME})]
        for ordinal, one in enumerate(changes):
            images = {k: v for k, v in one.items() if k not in ("kind", "op", "schema", "table")}
            head = {k: one[k] for k in ("kind", "op", "schema", "table")}
            block.append(line({**head, "commit_lsn": lsn(commit), "ordinal": ordinal, **images}))
        text = b"".join(block)
        block.append(line({"kind": "commit", "xid": xid, "commit_lsn": lsn(commit),
                           "changes": len(changes), "bytes": len(text),
                           "crc32c": f"{crc32c(text):08x}"}))
        blocks.append(block)
    return blocks


def oracle_of(world):
    escape = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t"})
    rows = ["0/10\t5\tBEGIN 5", "0/10\t5\ttable public.unpublished: INSERT: id[integer]:1",
            "0/20\t5\tCOMMIT 5 (at 2026-07-14 10:00:00+00)"]
    for xid, _, end, _, told in world:
        rows += [f"0/1\t{xid}\tBEGIN {xid}"] + [f"0/1\t{xid}\t{one.translate(escape)}" for one in told]
        rows.append(f"{lsn(end)}\t{xid}\tCOMMIT {xid} (at 2026-07-14 10:00:00.12+00)")
    return "".join(row + "\n" for row in rows).encode()


def altered(index, **differences):
    """The world with one field of one transaction replaced."""
    names = ("xid", "commit", "end", "changes", "told")
    world = list(WORLD)
    world[index] = tuple(differences.get(name, old) for name, old in zip(names, world[index]))
    return world


class Comparison(unittest.TestCase):
    def compare(self, blocks, oracle=None, *more):
        return self.compare_files([blocks], oracle, *more)

    def compare_files(self, rotated, oracle=None, *more):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "oracle")
            other.write_bytes(oracle_of(WORLD) if oracle is None else oracle)
            files = []
            for number, file in enumerate(rotated):
                files.append(pathlib.Path(folder, f"file.{number}"))
                files[-1].write_bytes(b"".join(part for block in file for part in block))
            with contextlib.redirect_stdout(io.StringIO()) as told:
                code = main([*map(str, files), str(other), "--unpublished", "public.unpublished", *more])
        self.assertNotIn("secret", told.getvalue())
        return code, told.getvalue()

    def finds(self, what, blocks, oracle=None):
        code, told = self.compare(blocks, oracle)
        self.assertIn(what, told)
        self.assertEqual(code, 1, told)

    def test_a_right_file_passes_and_tells_what_was_compared(self):
        code, told = self.compare(file_of(WORLD))
        self.assertEqual(told, "compared 4 transactions with 9 changes, 19 lines, 4 checksums\n"
                               "lost 0, duplicated 0\n")
        self.assertEqual(code, 0)

    def test_the_elements_of_an_array_are_compared(self):
        right = WORLD[-1][3][0]["record"]
        for wrong in ({"tags": ["a b", "NULL", "NULL", "", right["tags"][-1]]},
                      {"grid": [[1, None], [3, 2]]}, {"bits": ["t", True]}, {"none": [None]}):
            changes = [change("insert", record={**right, **wrong})]
            self.finds("differs in record", file_of(altered(-1, changes=changes)))

    def test_checksums_can_be_sampled(self):
        code, told = self.compare(file_of(WORLD), None, "--crc-every", "19")
        self.assertIn("1 checksums", told)
        self.assertEqual(code, 0)

    def test_commits_before_the_slot_are_not_expected(self):
        blocks = file_of(WORLD)
        del blocks[1]
        self.assertEqual(self.compare(blocks, None, "--origin", "0/130")[0], 0)
        self.assertEqual(self.compare(blocks, None, "--origin", "0/12F")[0], 1)

    def test_a_dropped_transaction_is_found(self):
        for index in range(1, 5):
            blocks = file_of(WORLD)
            del blocks[index]
            self.finds("lost 1, duplicated 0", blocks)

    def test_an_empty_file_has_lost_everything(self):
        self.finds("lost 4, duplicated 0", [])

    def test_a_doubled_transaction_is_found(self):
        for index in range(1, 5):
            blocks = file_of(WORLD)
            self.finds("lost 0, duplicated 1", blocks[:index + 1] + blocks[index:])
            self.finds("lost 0, duplicated 1", blocks + blocks[index:index + 1])

    def test_another_order_is_found(self):
        head, a, b, c, d = file_of(WORLD)
        self.finds("a position that does not ascend", [head, a, c, b, d])
        moved = [altered(1, commit=0x300)[1], altered(2, commit=0x200)[2]]
        self.finds("not in commit order", file_of([WORLD[0], moved[1], moved[0], WORLD[3]]))

    def test_a_changed_value_is_found(self):
        for wrong in ({"id": 6}, {"id": "5"}, {"id": None}, {"key": 5}, {"id": 5, "b": 1}, {}):
            changes = [change("insert", record=wrong)]
            self.finds("change 0 differs in record", file_of(altered(3, changes=changes)))
        self.finds("differs in table", file_of(altered(3, changes=[
            change("insert", "u", record={"id": 5})])))

    def test_a_wrong_old_row_is_found(self):
        right = WORLD[1][3]
        for wrong in (change("delete", old={"id": 4}), change("delete")):
            self.finds("change 3 differs in old", file_of(altered(1, changes=right[:3] + [wrong])))
        wrong = change("update", record={"id": 3, "note": None})
        self.finds("change 1 differs in unchanged",
                   file_of(altered(1, changes=[right[0], wrong, *right[2:]])))

    def test_another_operation_is_found(self):
        wrong = [change("update", record={"id": 5})]
        self.finds("change 0 differs in op", file_of(altered(3, changes=wrong)))
        flags = [{**one, "cascade": False} for one in WORLD[2][3]]
        self.finds("change 0 differs in cascade", file_of(altered(2, changes=flags)))

    def test_a_row_of_a_rolled_back_savepoint_is_found(self):
        extra = WORLD[3][3] + [change("insert", record={"id": 99})]
        self.finds("2 changes instead of 1", file_of(altered(3, changes=extra)))

    def test_a_missing_row_is_found(self):
        self.finds("1 changes instead of 2", file_of(altered(0, changes=WORLD[0][3][:1])))

    def test_rows_in_another_order_are_found(self):
        self.finds("change 0 differs", file_of(altered(0, changes=WORLD[0][3][::-1])))

    def test_a_rolled_back_transaction_is_found(self):
        stray = (10, 0x380, 0, [change("insert", record={"id": 77})], [])
        self.finds("has not committed it", file_of(WORLD[:3] + [stray] + WORLD[3:]))

    def test_a_wrong_position_is_found(self):
        self.finds("the commit record ends at 0/330", file_of(altered(2, commit=0x330)))
        self.finds("the commit before ends at 0/230", file_of(altered(2, commit=0x22F)))

    def test_another_commit_time_is_found(self):
        self.finds("another commit time", file_of(WORLD), oracle_of(WORLD).replace(b"00.12+", b"00.13+"))

    def test_a_commit_line_that_lies_is_found(self):
        for right, wrong, found in ((b'"changes":1', b'"changes":2', "wrong count of changes"),
                                    (b'"bytes":', b'"bytes":1', "wrong count of bytes"),
                                    (b'"crc32c":"', b'"crc32c":"0', "wrong checksum")):
            blocks = file_of(WORLD)
            blocks[4][-1] = blocks[4][-1].replace(right, wrong)
            self.finds(found, blocks)

    def test_lines_that_are_no_strict_json_are_found(self):
        for bad in (b"{}\n", b"\n", b'{"kind":"progress","lsn":"0/999"\n', b"\xff\n", b"NaN\n",
                    b'{"kind":"progress","lsn":"0/999","lsn":"0/999"}\n', line(HEADER)):
            self.finds("line 20 of the file", file_of(WORLD) + [[bad]])

    def finds_in_files(self, what, rotated):
        code, told = self.compare_files(rotated)
        self.assertIn(what, told)
        self.assertEqual(code, 1, told)

    def test_files_that_continue_each_other_are_one_stream(self):
        head, a, b, c, d = file_of(WORLD)
        code, told = self.compare_files([[head, a], [[continued("0/100")], b, c],
                                         [[continued("0/300")], d], [[continued("0/400")]]])
        self.assertIn("compared 4 transactions with 9 changes, 22 lines", told)
        self.assertEqual(code, 0, told)

    def test_a_file_that_does_not_continue_the_one_before_is_found(self):
        head, a, b, c, d = file_of(WORLD)
        wrong = "it does not start where the file before ends"
        for start in ("0/FF", "0/101", "0/400"):
            self.finds_in_files(f"line 1 of file 2: {wrong}", [[head, a], [[continued(start)], b, c, d]])
        self.finds_in_files(wrong, [[head, a], [[line(HEADER)], b, c, d]])
        self.finds_in_files(wrong, [[head, a], [[continued("0/300")], d], [[continued("0/100")], b, c]])
        self.finds("it does not start", [[continued("0/50")], a, b, c, d])

    def test_a_transaction_split_over_files_is_found(self):
        head, a, b, c, d = file_of(WORLD)
        self.finds_in_files("the last transaction has no end",
                            [[head, a[:2]], [[continued("0/50")], a[2:], b, c, d]])

    def test_a_transaction_in_two_files_is_found(self):
        head, a, b, c, d = file_of(WORLD)
        self.finds_in_files("lost 0, duplicated 1",
                            [[head, a, b], [[continued("0/200")], b, c, d]])

    def test_a_message_moves_the_position_to_its_end(self):
        head, a, b, c, d = file_of(WORLD)
        message = line({"kind": "message", "transactional": False, "prefix": "p",
                        "content_base64": "", "lsn": "0/200"})
        self.assertEqual(self.compare_files([[head, a, [message]], [[continued("0/1FF")], b, c, d]])[0], 0)

    def test_state_is_passed_over_in_the_comparison(self):
        head, a, b, c, d = file_of(WORLD)
        again = [state("one", b"new"), state("two", b"2")]
        header = line({**HEADER, "start": "0/200", "state_bytes": sum(map(len, again))})
        code, told = self.compare_files([
            [head, [state("one", b"1"), state("three", b"3")], a,
             [state("one", b"new"), state("two", b"2"), state("three", b"")], b],
            [[header, *again], [state("two", b"")], c, d]])
        self.assertIn("compared 4 transactions with 9 changes, 28 lines", told)
        self.assertEqual(code, 0, told)

    def test_state_at_a_wrong_place_is_found(self):
        head, a, b, c, d = file_of(WORLD)
        one = state("one", b"1")
        self.finds("a state line inside of a transaction", [head, [*a[:2], one, *a[2:]], b, c, d])
        self.finds("state without what it belongs to", [head, a, b, c, d, [one]])
        self.finds("state that was known already", [head, [one], a, [one], b, c, d])
        self.finds("state that was known already", [head, [state("one", b"")], a, b, c, d])
        self.finds("of the wrong type", [head, [one.replace(b"==", b"=")], a, b, c, d])
        self.finds("wrong members of a state line", [head, [line({"kind": "state", "name": "x"})],
                                                     a, b, c, d])

    def test_a_file_without_the_state_of_the_one_before_is_found(self):
        head, a, b, c, d = file_of(WORLD)
        first = [head, [state("one", b"1")], a, b]
        for told, size in ((b"1", 0), (b"2", 0), (b"", 0), (b"1", -1), (b"1", 1)):
            again = [state("one", told)] if told else []
            header = {**HEADER, "start": "0/200"}
            if told:
                header["state_bytes"] = len(again[0]) + size
            code, words = self.compare_files([first, [[line(header), *again], c, d]])
            self.assertEqual(code, 0 if (told, size) == (b"1", 0) else 1, words)

    def test_a_torn_end_is_found(self):
        blocks = file_of(WORLD)
        self.finds("line 19 of the file: torn", blocks[:4] + [[*blocks[4][:-1], blocks[4][-1][:-1]]])
        self.finds("the last transaction has no end", blocks[:4] + [blocks[4][:-1]])

    def test_an_oracle_that_cannot_be_read_is_no_proof(self):
        self.finds("the oracle cannot be read", file_of(WORLD), oracle_of(WORLD) + b"nonsense\n")


class Oracle(unittest.TestCase):
    def test_names_and_types_with_brackets_and_quotes_are_read(self):
        [event] = events_of('table "my ""s".t: INSERT: "a:b"["odd]type"[]]:\'x\' c[bit]:B\'101\'')
        self.assertEqual((event.schema, event.table), ('my "s', "t"))
        self.assertEqual([(name, cell.text) for name, cell in event.record],
                         [("a:b", "x"), ("c", "101")])

    def test_the_checksum_is_castagnolis(self):
        self.assertEqual(crc32c(b"123456789"), 0xE3069283)


if __name__ == "__main__":
    unittest.main()
