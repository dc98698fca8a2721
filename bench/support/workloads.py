# SPDX-License-Identifier: MIT
"""What the drained backlogs are made of. Seeds are fixed: every run of a size is the same."""

WIDE_TYPES = ["int4", "int8", "numeric(14,4)", "timestamptz", "uuid", "text", "float8", "bool", "date"]
WIDE_VALUES = ["n", "n::bigint * 1000003", "n * 1.2345", "timestamptz '2026-01-01' + n * interval '1 s'",
               "md5(n::text)::uuid", "md5(n::text)", "n / 7.0", "n % 2 = 0", "date '2026-01-01' + n % 999"]


def _in_transactions(rows, per_transaction, insert):
    """Many transactions in one call, without a round trip for each."""
    return f"""
DO $$ BEGIN
  FOR low IN 1 .. {rows} BY {per_transaction} LOOP
    {insert.format(first="low", last=f"least(low + {per_transaction} - 1, {rows})")}
    COMMIT;
  END LOOP;
END $$;"""


class Workload:
    """`streamed`: large enough to be taken before its commit."""

    def __init__(self, name, rows, table, fill, prepare="", binary=False, streamed=False):
        self.name, self.rows, self.table, self.fill = name, rows, table, fill
        self.prepare, self.binary, self.streamed = prepare, binary, streamed


NARROW_TABLE = "CREATE TABLE narrow (id bigint PRIMARY KEY, a int, note text, amount numeric, at timestamptz)"
NARROW_ROWS = """INSERT INTO narrow SELECT n, n % 1000, repeat('x', 60) || n,
          n * 0.01, timestamptz '2026-01-01' + n * interval '1 s' FROM generate_series({first}, {last}) n;"""


def narrow(scale):
    rows = int(2_000_000 * scale)
    return Workload("narrow", rows, NARROW_TABLE, _in_transactions(rows, 10_000, NARROW_ROWS))


def one_transaction(rows):
    return Workload("one_transaction", rows, NARROW_TABLE, NARROW_ROWS.format(first=1, last=rows),
                    streamed=True)


def wide(scale, binary):
    rows = int(300_000 * scale)
    columns = ", ".join(f"c{i} {WIDE_TYPES[i % 9]}" for i in range(35))
    values = ", ".join(WIDE_VALUES[i % 9] for i in range(35))
    return Workload(
        "wide_binary" if binary else "wide", rows,
        f"CREATE TABLE wide (id bigint PRIMARY KEY, {columns})",
        _in_transactions(rows, 10_000,
                         f"INSERT INTO wide SELECT n, {values} "
                         "FROM generate_series({first}, {last}) n;"),
        binary=binary)


def single(scale):
    rows = int(300_000 * scale)
    return Workload(
        "single", rows, "CREATE TABLE single (id bigint PRIMARY KEY, a int, note text)",
        _in_transactions(rows, 1, """INSERT INTO single VALUES ({first}, {first} % 1000,
          'a row of a transaction of its own');"""))


def updates(scale):
    rows = int(500_000 * scale)
    return Workload(
        "updates_full", rows,
        "CREATE TABLE updates (id bigint PRIMARY KEY, a int, note text, amount numeric, at timestamptz); "
        "ALTER TABLE updates REPLICA IDENTITY FULL",
        _in_transactions(rows, 10_000,
                         "UPDATE updates SET a = a + 1 WHERE id BETWEEN {first} AND {last};"),
        prepare=f"INSERT INTO updates SELECT n, n, repeat('x', 60) || n, n * 0.01, now() "
                f"FROM generate_series(1, {rows}) n; VACUUM ANALYZE updates;")


_MAKERS = {"narrow": narrow, "wide": lambda scale: wide(scale, False),
           "wide_binary": lambda scale: wide(scale, True), "single": single,
           "updates_full": updates,
           "one_transaction": lambda scale: one_transaction(int(1_000_000 * scale))}

NAMES = list(_MAKERS)


def make(name, scale):
    """`scale`: of the full number of rows."""
    return _MAKERS[name](scale)
