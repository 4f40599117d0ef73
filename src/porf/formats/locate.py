"""Where in its file an event is, for errors found after reading: the file is read again, only then."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from porf import _core
from porf.architectures import words
from porf.errors import FormatError
from porf.execution import Execution
from porf.formats.faults import error_at, place_in_line
from porf.formats.objects import parse_line, place_of_field
from porf.formats.text import BOM, field_in_line


def error_on_field(execution: Execution, row: int, field: str, message: str, hint: str) -> FormatError:
    """An error about the `op` or `order` of a row: its place where the source has lines, else the npz entry."""
    try:
        with Path(execution.source).open("rb") as file:
            if file.peek(2).startswith(b"PK"):
                return FormatError(f"{field}[{row}]: {message}", source=execution.source, hint=hint)
            raw, number = _line_of(row, file)
    except (OSError, ValueError):  # the standard input, or a string
        return FormatError(f"event {row + 1}: {message}", source=execution.source, hint=hint)
    if raw.lstrip().startswith(b"{"):
        return error_at(execution.source, place_of_field(raw, number, field, 0), message, hint)
    return error_at(execution.source, place_in_line(raw, number, *field_in_line(raw, field, 0)), message, hint)


MOST_LINES = 1_000_000  # that are read to find a few events


def lines_of(execution: Execution, rows: Collection[int]) -> dict[int, int]:
    """The lines of these rows, where the source is a file with an event a line; others are left out."""
    wanted = set(rows)
    found: dict[int, int] = {}
    try:
        with Path(execution.source).open("rb") as file:
            for row, (_, number, event) in enumerate(_events(file)):
                if len(found) == len(wanted) or number > MOST_LINES or row >= len(execution):
                    break
                if str(event.thread) != execution.thread_names[int(execution.thread[row])]:
                    return {}  # a form of its own, which only looks like this one
                if row in wanted:
                    found[row] = number
    except (OSError, ValueError):
        return {}
    return found


def _line_of(row: int, lines: BinaryIO) -> tuple[bytes, int]:
    for at, (raw, number, _) in enumerate(_events(lines)):
        if at == row:
            return raw, number
    raise ValueError("the file has changed")


def _events(lines: BinaryIO) -> Iterator[tuple[bytes, int, _core.NamedEvent]]:
    """The lines that are events, with their numbers."""
    json = None
    for number, line in enumerate(lines, 1):
        raw = line.removeprefix(BOM) if number == 1 else line
        if not raw.strip():
            continue
        json = raw.lstrip().startswith(b"{") if json is None else json
        record = parse_line(raw, number, "") if json else _core.parse_line(raw, words(fence=False), words(fence=True))
        if isinstance(record, _core.NamedEvent):
            yield raw, number, record
