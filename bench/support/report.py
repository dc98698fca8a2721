# SPDX-License-Identifier: MIT
"""One table for people and one JSON file for machines."""

import json
import os
import statistics


def table(header, rows):
    cells = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    return "\n".join("  ".join(cell.ljust(widths[i]) for i, cell in enumerate(row)).rstrip()
                     for row in cells)


def spread(values, digits=0):
    """Median, and the least and the greatest around it."""
    form = f"{{:,.{digits}f}}"
    low, middle, high = min(values), statistics.median(values), max(values)
    return f"{form.format(middle)} ({form.format(low)}..{form.format(high)})"


def machine():
    load = os.getloadavg()
    return {"cores": os.cpu_count(), "load": [round(one, 2) for one in load]}


def write(path, document):
    with open(path, "w", encoding="utf8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
