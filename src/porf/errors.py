"""The errors people see: each knows the file, line and column, shows the line with a caret, and hints at a fix."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class PorfError(Exception):
    """Something is wrong with the input or the call; `str()` is the full message for a person."""

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        text: str | None = None,
        width: int = 1,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line  # 1-based
        self.column = column  # 1-based, in characters
        self.text = text  # the offending line, without its end
        self.width = width  # how many characters the caret underlines
        self.hint = hint

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        out = [f"{place}: {self.message}" if place else self.message]
        if self.text is not None and self.column is not None:
            shown, offset = window(self.text, self.column - 1)
            out.append(f"  {shown}")
            out.append(f"  {' ' * offset}{'^' * max(1, min(self.width, len(shown) - offset))}")
        if self.hint:
            out.append(f"  hint: {self.hint}")
        return "\n".join(out)


class FormatError(PorfError):
    """A history file that cannot be read as one."""


class ModelError(PorfError):
    """A model that is unknown, cannot be parsed, or does not type-check."""


class ProgramError(PorfError):
    """A concurrent program that cannot be read, or has no meaning."""


class UsageError(PorfError):
    """A call that makes no sense: a wrong option, a wrong combination, an unsupported request."""


class EvidenceError(PorfError):
    """Evidence that does not prove what it claims: a bug in porf, or in whoever made the evidence."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the nearest known spelling, or None when nothing is near."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"did you mean '{found[0]}'?" if found else None


def window(text: str, column: int, limit: int = 120) -> tuple[str, int]:
    """The part of a long line around a column, with tabs flattened, and the column's place in it."""
    flat = "".join(c if c.isprintable() else " " for c in text)
    if len(flat) <= limit:
        return flat, column
    start = max(0, min(column - limit // 2, len(flat) - limit))
    return ("…" if start else "") + flat[start : start + limit], column - start + (1 if start else 0)
