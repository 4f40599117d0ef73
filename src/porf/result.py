"""What every answer has in common, so that one function can print any of them and an output format is one module."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NoReturn, Protocol

from porf.errors import PorfError, UsageError
from porf.record import Record, field


class Exit(IntEnum):
    """The exit codes of the command line."""

    HOLDS = 0
    FAILS = 1
    WRONG_INPUT = 2
    UNDECIDED = 3
    BUG = 70  # "internal software error" in sysexits.h: a bug must not read as a verdict
    BROKEN_PIPE = 141  # 128 and the signal, as shells have it


class Result(Protocol):
    """A verdict, an exploration, a proof, a comparison, a property, a stress run; or an input that is wrong."""

    @property
    def exit_code(self) -> int: ...

    def headline(self) -> str:
        """The answer in one line."""

    def report(self) -> str:
        """The answer and its evidence, for people."""

    def record(self) -> dict[str, Any]:
        """The same for programs: values that JSON has."""

    def draw(self) -> str:
        """The evidence as an SVG picture; UsageError where there is nothing to draw."""


class View(Record):
    """An execution that a page shows: its picture, why it is as it is, and the sources that its events come from."""

    title: str
    svg: str
    words: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)  # file -> its text
    used: tuple[str, ...] = ()  # FILE:LINE of events


class Failure:
    """An input that could not be read or judged."""

    exit_code = Exit.WRONG_INPUT

    def __init__(self, error: PorfError) -> None:
        self.error = error

    def headline(self) -> str:
        return f"error: {str(self.error).splitlines()[0]}"

    def report(self) -> str:
        return f"error: {self.error}"

    def record(self) -> dict[str, Any]:
        e = self.error
        return {"error": {"file": e.source, "line": e.line, "column": e.column, "message": e.message, "hint": e.hint}}

    def draw(self) -> NoReturn:
        raise nothing_to_draw("the input is invalid")


class Unfinished(Failure):
    """What a limit of time or memory ended before it had anything to say."""

    exit_code = Exit.UNDECIDED

    def headline(self) -> str:
        return f"{self.error.source}: undecided: {self.error.message}"

    def report(self) -> str:
        return self.headline()

    def record(self) -> dict[str, Any]:
        return {
            "source": self.error.source,
            "verdict": "undecided",
            "cycle": None,
            "witness": None,
            "note": self.error.message,
        }

    def draw(self) -> NoReturn:
        raise nothing_to_draw(self.error.message)


def nothing_to_draw(why: str) -> UsageError:
    return UsageError(f"there is nothing to draw: {why}")


def text_width() -> int:
    """How many columns a table may take: those of the terminal, or 100 where there is none."""
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).columns
