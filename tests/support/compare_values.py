# SPDX-License-Identifier: MIT
"""Compares the values in a JSON-lines file with the server's own answer, one by one.

Usage: compare_values.py FILE EXPECTED [--numeric string|number]

EXPECTED has a line for each row: {"t": table, "rule": rule, "id": id, "v": value}. A value is NULL, the
text that the server prints, or for an array {"text": ..., "dims": array_dims, "elements": [...]}; with
"hex" instead of a text the bytes of a text that need not be UTF-8. The rules are those of
tests/sinks/json_types.hpp. Prints how many values were compared; ends with 1 when anything differs.
"""

import argparse
import json
import re
import sys

MOST_NESTED = 100
REFUSED = object()


class Differs(Exception):
    pass


def no_constant(_):
    raise ValueError("not JSON")


def number(text):
    return ("number", text)


# Nothing is rounded, and no member of an object is lost.
EXACT = json.JSONDecoder(object_pairs_hook=lambda pairs: ("object", pairs), parse_int=number,
                         parse_float=number, parse_constant=no_constant)


def depth_of(value):
    if isinstance(value, list):
        return 1 + max(map(depth_of, value), default=0)
    if isinstance(value, tuple) and value[0] == "object":
        return 1 + max((depth_of(member) for _, member in value[1]), default=0)
    return 0


def strings_of(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from strings_of(one)
    elif isinstance(value, tuple) and value[0] == "object":
        for name, member in value[1]:
            yield name
            yield from strings_of(member)


def document_of(text):
    """What the text is as JSON; REFUSED when it must not be embedded."""
    try:
        value = EXACT.decode(text)
        if depth_of(value) > MOST_NESTED:
            return REFUSED
        for one in strings_of(value):
            one.encode("utf-8")
    except (ValueError, RecursionError):
        return REFUSED
    return value


def text_of(expected):
    if isinstance(expected, dict):
        return bytes.fromhex(expected["hex"]).decode("utf-8", "surrogateescape")
    return expected


class Rules:
    """What must be in the file for each value, by rule."""

    def __init__(self, numeric):
        self.numeric_as = numeric

    def value(self, rule, expected, as_text):
        if expected is None:
            return None
        if rule.startswith("array "):
            return self.array(rule.removeprefix("array "), expected, as_text)
        return getattr(self, rule)(text_of(expected), as_text)

    def array(self, rule, expected, as_text):
        bounds = [tuple(map(int, one)) for one in
                  re.findall(r"\[(-?\d+):(-?\d+)\]", expected["dims"] or "")]
        if any(low != 1 for low, _ in bounds):
            return expected["text"]
        values = [self.value(rule, one, as_text) for one in expected["elements"]]
        for _, size in reversed(bounds[1:]):
            values = [values[at:at + size] for at in range(0, len(values), size)]
        return values

    def text(self, text, _):
        return text

    def bool(self, text, _):
        return {"t": True, "f": False}[text]

    def number(self, text, _):
        return text if text in ("NaN", "Infinity", "-Infinity") else number(text)

    def numeric(self, text, as_text):
        return self.number(text, as_text) if self.numeric_as == "number" else text

    def json(self, text, as_text):
        return text if as_text else document_of(text)

    def refused(self, rule, expected):
        """Whether a document of the value must not be embedded."""
        if expected is None or not rule.endswith("json"):
            return False
        if rule == "json":
            return document_of(text_of(expected)) is REFUSED
        if re.search(r"\[(?!1:)-?\d+:", expected["dims"] or ""):
            return False
        return any(self.refused(rule.removeprefix("array "), one) for one in expected["elements"])


def rows_of(path):
    rows = {}
    with open(path, "rb") as lines:
        for raw in lines:
            members = dict(EXACT.decode(raw.decode("utf-8"))[1])
            if members["kind"] != "change":
                continue
            record = dict(members["record"][1])
            key = (members["table"], int(record["id"][1]))
            if key in rows:
                raise Differs(f"{key} is there twice")
            rows[key] = (record["v"], members.get("json_as_text", []), raw)
    return rows


def compare(rules, row, line):
    value, as_text, raw = line
    rule, expected = row["rule"], row["v"]
    refused = rules.refused(rule, expected)
    if as_text != (["v"] if refused else []):
        raise Differs(f"as text: {as_text}")
    wanted = rules.value(rule, expected, refused)
    # Python takes True for 1: types have to agree as well.
    if value != wanted or repr(value) != repr(wanted):
        raise Differs(f"{value!r} instead of {wanted!r}")
    if rule == "json" and expected is not None and not refused:
        verbatim = re.sub("[\r\n]", " ", text_of(expected)).encode("utf-8")
        if verbatim not in raw:
            raise Differs("not embedded as it is")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("file")
    arguments.add_argument("expected")
    arguments.add_argument("--numeric", choices=["string", "number"], default="string")
    options = arguments.parse_args()
    rules = Rules(options.numeric)
    rows = rows_of(options.file)
    differences = 0
    compared = 0
    with open(options.expected, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            key = (row["t"], row["id"])
            try:
                compare(rules, row, rows.pop(key))
            except (Differs, KeyError) as why:
                differences += 1
                if differences <= 20:
                    print(f"{key}: {why!r}")
            compared += 1
    print(f"{compared} values compared, {differences} differ, {len(rows)} not expected")
    return 0 if compared and not differences and not rows else 1


if __name__ == "__main__":
    sys.exit(main())
