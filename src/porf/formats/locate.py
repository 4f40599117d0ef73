"""Where in its file an event stands, for errors found after reading: the file is read again, only then."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from porf.errors import FormatError
from porf.execution import Execution


def error_on_row(execution: Execution, row: int, message: str, *, word: str, column: str, hint: str) -> FormatError:
    """An error about a row, pointing at `word` on its line where the source has lines, else at the npz column."""
    path = Path(execution.source)
    if path.suffix == ".npz":
        return FormatError(f"{column}[{row}]: {message}", source=execution.source, hint=hint)
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            line, text = _line_of(row, lines)
    except OSError:
        return FormatError(message, source=execution.source, hint=hint)
    at = max(text.rfind(word), 0)
    return FormatError(
        message, source=execution.source, line=line, column=at + 1, text=text, width=len(word), hint=hint
    )


def _line_of(row: int, lines: Iterable[str]) -> tuple[int, str]:
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        content = text.split("#", 1)[0].split() if not text.lstrip().startswith("{") else [text]
        if not content or content[0] == "init" or '"init"' in content[0].split(":")[0]:
            continue
        if row == 0:
            return number, text
        row -= 1
    raise OSError("the file has changed")
