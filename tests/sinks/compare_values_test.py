# SPDX-License-Identifier: MIT
"""A comparison that cannot fail proves nothing: every kind of difference has to be found."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))

from compare_values import main  # noqa: E402

DEEP = "[" * 101 + "]" * 101


def array(text, dims, *elements):
    return {"text": text, "dims": dims, "elements": list(elements)}


def judge(rule, expected, value, more="", *options):
    """Whether the JSON text `value` is taken for what the server expects."""
    line = f'{{"kind":"change","table":"t","record":{{"id":1,"v":{value}}}{more}}}\n'
    row = {"t": "t", "rule": rule, "id": 1, "v": expected}
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder, name) for name in ("file", "expected")]
        paths[0].write_text(line)
        paths[1].write_text(json.dumps(row) + "\n")
        with mock.patch.object(sys, "argv", ["compare_values.py", *map(str, paths), *options]):
            with contextlib.redirect_stdout(io.StringIO()):
                return main() == 0


AS_TEXT = ',"json_as_text":["v"]'


class Comparison(unittest.TestCase):
    def right(self, *case):
        self.assertTrue(judge(*case), case)

    def wrong(self, *case):
        self.assertFalse(judge(*case), case)

    def test_scalars(self):
        self.right("text", "a", '"a"')
        self.wrong("text", "a", '"b"')
        self.wrong("text", "1", "1")
        self.right("text", None, "null")
        self.wrong("text", "null", "null")
        self.wrong("text", None, '""')
        self.right("bool", "t", "true")
        self.wrong("bool", "t", "1")
        self.wrong("bool", "t", '"t"')

    def test_numbers(self):
        self.right("number", "1e+20", "1e+20")
        self.wrong("number", "1e+20", "1e20")
        self.wrong("number", "9007199254740993", "9007199254740992")
        self.wrong("number", "1", '"1"')
        self.right("number", "NaN", '"NaN"')
        self.right("numeric", "1.10", '"1.10"')
        self.wrong("numeric", "1.10", "1.10")
        self.right("numeric", "1.10", "1.10", "", "--numeric", "number")
        self.wrong("numeric", "1.10", '"1.10"', "", "--numeric", "number")

    def test_documents(self):
        self.right("json", '{"a":1,"a":2}', '{"a":1,"a":2}')
        self.wrong("json", '{"a":1,"a":2}', '{"a":2}')
        self.wrong("json", '{"a": 1}', '{"a":1}')
        self.wrong("json", '{"a":1}', '"{\\"a\\":1}"')
        self.wrong("json", '{"a":1}', '"{\\"a\\":1}"', AS_TEXT)
        self.right("json", "[\n1]", "[ 1]")
        self.right("json", r'"\ud800"', r'"\"\\ud800\""', AS_TEXT)
        self.wrong("json", r'"\ud800"', r'"\"\\ud800\""')
        self.wrong("json", r'"\ud800"', r'"\ud800"')
        self.right("json", DEEP, f'"{DEEP}"', AS_TEXT)
        self.wrong("json", DEEP, DEEP)

    def test_arrays(self):
        matrix = array("{{1,NULL},{3,4}}", "[1:2][1:2]", "1", None, "3", "4")
        self.right("array number", matrix, "[[1,null],[3,4]]")
        self.wrong("array number", matrix, "[1,null,3,4]")
        self.wrong("array number", matrix, "[[1,0],[3,4]]")
        self.right("array text", array("{NULL,\"NULL\"}", "[1:2]", None, "NULL"), '[null,"NULL"]')
        self.wrong("array text", array("{NULL,\"NULL\"}", "[1:2]", None, "NULL"), "[null,null]")
        self.right("array number", array("{}", None), "[]")
        bounds = array("[0:1]={7,8}", "[0:1]", "7", "8")
        self.right("array number", bounds, '"[0:1]={7,8}"')
        self.wrong("array number", bounds, "[7,8]")
        half = array('{1,"\\"\\\\ud800\\""}', "[1:2]", "1", r'"\ud800"')
        self.right("array json", half, r'["1","\"\\ud800\""]', AS_TEXT)
        self.wrong("array json", half, r'[1,"\"\\ud800\""]', AS_TEXT)

    def test_bytes(self):
        self.right("text", {"hex": "41ff"}, r'"A\udcff"')
        self.wrong("text", {"hex": "41ff"}, r'"A\u00ff"')

    def test_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = pathlib.Path(folder, "empty")
            empty.write_text("")
            with mock.patch.object(sys, "argv", ["compare_values.py", str(empty), str(empty)]):
                with contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(main(), 1)


if __name__ == "__main__":
    unittest.main()
