"""The text of a litmus test: where an offset stands for people, and errors that show the place."""

from bisect import bisect_right
from typing import NoReturn

from porf.errors import ProgramError
from porf.programs.form import Place


class Source:
    """A text and its name; offsets count characters from 0."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self._lines = [0]
        at = text.find("\n")
        while at >= 0:
            self._lines.append(at + 1)
            at = text.find("\n", at + 1)

    def place(self, at: int) -> Place:
        """Line and column of an offset."""
        line = bisect_right(self._lines, at)
        return Place(line, at - self._lines[line - 1] + 1, self.name)

    def fail(self, at: int, message: str, hint: str | None = None, width: int = 1) -> NoReturn:
        """A ProgramError that points here."""
        place = self.place(at)
        start = self._lines[place.line - 1]
        end = self._lines[place.line] - 1 if place.line < len(self._lines) else len(self.text)
        raise ProgramError(
            message,
            source=self.name,
            line=place.line,
            column=place.column,
            text=self.text[start:end].rstrip("\r"),
            width=width,
            hint=hint,
        )
