"""What every answer has in common, so that one function can print any of them and an output format is one module."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NoReturn, Protocol

from porf.errors import PorfError, UsageError
from porf.record import Record, field, replace


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


class Spot(Record):
    """A place in a file, and what is to be said of it. Lines and columns count from 1; 0 means none in particular."""

    file: str
    line: int = 0
    column: int = 0
    message: str = ""

    @property
    def shown_file(self) -> str:
        """The file as seen from the current directory, which in CI is that of the repository."""
        return inside_here(self.file)


def inside_here(file: str) -> str:
    """A path as seen from the current directory, and others as they are; nothing for what is no file: <stdin>."""
    import os

    if file.startswith("<") and file.endswith(">"):
        return ""
    here = os.path.join(os.path.realpath("."), "")  # noqa: PTH118 (with the / at its end)
    whole = os.path.realpath(file) if file else ""
    return whole.removeprefix(here) if whole.startswith(here) else file


class Finding(Record):
    """One thing that is wrong, as services and editors show it beside a line."""

    rule: str  # its kind, in a word: data-race
    message: str
    where: Spot
    about: str = ""  # what such a thing is, whatever program has it
    words: tuple[str, ...] = ()  # why
    repairs: tuple[str, ...] = ()  # what to change
    related: tuple[Spot, ...] = ()  # the other places that take part
    steps: tuple[tuple[str, Spot], ...] = ()  # the execution: of each event its thread, and what it does where
    again: str = ""  # the command that shows it again

    def text(self) -> str:
        """The message, why, and what to change, a line each."""
        again = [f"Again: {self.again}"] if self.again else []
        return "\n".join([self.message, *self.words, *(f"Repair: {line}" for line in self.repairs), *again])


class Case(Record):
    """A result as reports of test runs have it: a name, the file that it is about, and what is wrong."""

    name: str
    file: str
    seconds: float = 0.0
    findings: tuple[Finding, ...] = ()


UNDECIDED, WRONG_INPUT = "undecided", "wrong-input"  # rules that are no bugs of a program
_OTHERWISE = {  # what is wrong with a result that does not say it
    Exit.FAILS: ("fails", "the answer is no"),
    Exit.UNDECIDED: (UNDECIDED, "a bound or a limit was hit before the answer was known"),
    Exit.WRONG_INPUT: (WRONG_INPUT, "an input could not be read or judged"),
    Exit.BUG: ("bug-in-porf", "porf contradicts itself"),
}


def case_of(result: Result) -> Case:
    """The result as a case, with a finding if it is not the answer yes."""
    known = getattr(result, "case", None)
    case = Case(result.headline(), "", getattr(result, "seconds", 0.0)) if known is None else known()
    if case.findings or result.exit_code == Exit.HOLDS:
        return case
    rule, about = _OTHERWISE[Exit(result.exit_code)]
    return replace(case, findings=(Finding(rule, result.headline(), Spot(case.file), about),))


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

    def case(self) -> Case:
        e = self.error
        rule, about = _OTHERWISE[self.exit_code]
        where = Spot(e.source or "", e.line or 0, e.column or 0)
        return Case(e.source or "porf", e.source or "", 0.0, (Finding(rule, e.message, where, about, _hint(e)),))

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


def _hint(error: PorfError) -> tuple[str, ...]:
    return (f"hint: {error.hint}",) if error.hint else ()


def nothing_to_draw(why: str) -> UsageError:
    return UsageError(f"there is nothing to draw: {why}")


def text_width() -> int:
    """How many columns a table may take: those of the terminal, or 100 where there is none."""
    from shutil import get_terminal_size

    return get_terminal_size((100, 24)).columns
