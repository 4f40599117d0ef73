"""Places in the source of a program: how they are written, and their lines."""

from functools import lru_cache
from pathlib import Path

from porf.programs.form import Place


def place_text(place: Place | None, file: str) -> str:
    """file:line:column, the form that editors understand."""
    return file if place is None else f"{place.file or file}:{place.line}:{place.column}"


def line_of(place: Place | None, file: str) -> str:
    """The line, as it is in the file; nothing if the file cannot be read, or must not be."""
    if place is None or place.hidden:
        return ""
    lines = _lines(place.file or file)
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


def text_of(file: str) -> str:
    """All lines; nothing if the file cannot be read."""
    return "\n".join(_lines(file))


@lru_cache(maxsize=16)
def _lines(path: str) -> list[str]:
    try:
        return [line.rstrip() for line in Path(path).read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return []
