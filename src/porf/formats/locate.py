"""Where in its file an event is, for errors found after reading: the file is read again, only then."""

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


def _line_of(row: int, lines: BinaryIO) -> tuple[bytes, int]:
    json = None
    for number, line in enumerate(lines, 1):
        raw = line.removeprefix(BOM) if number == 1 else line
        if not raw.strip():
            continue
        json = raw.lstrip().startswith(b"{") if json is None else json
        record = parse_line(raw, number, "") if json else _core.parse_line(raw, words(fence=False), words(fence=True))
        if not isinstance(record, _core.NamedEvent):
            continue
        if row == 0:
            return raw, number
        row -= 1
    raise ValueError("the file has changed")
