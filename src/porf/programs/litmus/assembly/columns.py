"""The threads of an assembly test: a table whose columns are threads, with | between them and ; after each row."""

from __future__ import annotations

import re
from typing import NamedTuple

from porf.programs.litmus.source import Source

_END = re.compile(r"^[ \t]*(?:~?[ \t]*exists|forall|locations|filter|not)\b", re.MULTILINE)
_THREAD = re.compile(r"P(\d+)(?::[^|;]*)?\Z")


class Cell(NamedTuple):
    text: str
    at: int  # in the source


def code_end(text: str, at: int) -> int:
    """Where the code that begins here ends, and what is asked of the test begins."""
    found = _END.search(text, at)
    return found.start() if found else len(text)


def read_columns(source: Source, text: str, at: int) -> list[list[Cell]]:
    """The cells of each thread that are not empty. The text stands at this offset of the source."""
    rows: list[list[Cell]] = []
    start = 0
    for line in text.split(";"):
        if start + len(line) < len(text):
            cells, inside = [], start
            for part in line.split("|"):
                bare = part.strip()
                cells.append(Cell(bare, at + inside + (part.index(bare) if bare else 0)))
                inside += len(part) + 1
            rows.append(cells)
        elif line.strip():
            where = at + start + len(line) - len(line.lstrip())
            source.fail(where, "this row does not end", "end it with ;")
        start += len(line) + 1
    if not rows:
        source.fail(min(at, len(source.text)), "a test has threads", "P0 | P1 ; and below it their instructions")
    for place, cell in enumerate(rows[0]):
        found = _THREAD.match(cell.text)
        if found is None or int(found[1]) != place:
            hint = "the first row names the threads: P0 | P1 ;"
            source.fail(cell.at, f"expected P{place}, but found '{cell.text}'", hint, max(1, len(cell.text)))
    threads: list[list[Cell]] = [[] for _ in rows[0]]
    for row in rows[1:]:
        if len(row) > len(threads):
            extra = row[len(threads)]
            source.fail(extra.at, f"this row has {len(row)} columns, but there are {len(threads)} threads")
        for thread, cell in zip(threads, row, strict=False):
            if cell.text:
                thread.append(cell)
    return threads
