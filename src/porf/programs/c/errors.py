"""The errors for constructs that the program form cannot express: where they are, and what to do about them."""

import linecache

from porf.errors import ProgramError
from porf.programs.form import Place

HINT = "docs/programs.md says what is supported; write this part differently, or leave it out"


def unsupported(construct: str, place: Place | None, hint: str = HINT) -> ProgramError:
    """The error that names a construct, and points at it if its place is known."""
    return fault(f"unsupported: {construct}", place, hint)


def fault(message: str, place: Place | None, hint: str | None = None) -> ProgramError:
    """An error with its place: file, line, column, and the text of the line if the file can be read."""
    if place is None:
        return ProgramError(message, hint=hint)
    text = ""
    if place.file and not place.hidden:
        linecache.checkcache(place.file)
        text = linecache.getline(place.file, place.line).rstrip("\r\n")
    column = min(place.column, len(text) + 1)
    return ProgramError(
        message,
        source=place.file or None,
        line=place.line or None,
        column=place.column or None,
        text=text if text and column >= 1 else None,
        width=width(text, column - 1),
        hint=hint,
    )


def placed(error: ProgramError, place: Place | None) -> ProgramError:
    """The same error, with this place if it has none yet."""
    return error if error.line is not None else fault(error.message, place, error.hint)


def width(text: str, start: int) -> int:
    """The length of the word that begins here."""
    end = start
    while 0 <= end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return max(1, end - start)
