"""The errors people see: each knows the file, line and column, shows the line with a caret, and hints at a fix."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porf._core import Limit


class PorfError(Exception):
    """Something is wrong with the input or the call; `str()` is the full message for a person.

    >>> import porf
    >>> try:
    ...     porf.check(porf.loads("T0 w x 1"), "raa")
    ... except porf.PorfError as error:
    ...     print(error.message, "/", error.hint)
    unknown model 'raa' / did you mean 'ra'?
    """

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
    """A history that cannot be read as one.

    >>> import porf
    >>> porf.loads("T0 w x 1\\nT1 r x 2")
    Traceback (most recent call last):
    porf.errors.FormatError: <text>:2:8: nothing writes 2 to this location
      T1 r x 2
             ^
      hint: a location starts with 0 unless ...
    """


class ModelError(PorfError):
    """A model that is unknown, cannot be parsed, or does not type-check.

    >>> import porf
    >>> porf.compare("sc", "missing.cat")
    Traceback (most recent call last):
    porf.errors.ModelError: missing.cat: there is no such model file
      hint: porf models lists the built-in models
    """


class ProgramError(PorfError):
    """A concurrent program that cannot be read, or has no meaning.

    >>> import porf
    >>> porf.program("empty").build()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    porf.errors.ProgramError: ...program 'empty' has no threads...
      hint: decorate functions with @p.thread
    """


class UsageError(PorfError):
    """A call that makes no sense: a wrong option, a wrong combination, an unsupported request.

    >>> import porf
    >>> porf.Monitor("pso")
    Traceback (most recent call last):
    porf.errors.UsageError: pso cannot be monitored
      hint: use one of sc, tso, sra, ra, wra, rc20, relaxed
    """


class UnfinishedError(PorfError):
    """A limit of time or memory ended a call before it had anything to say.

    >>> import porf
    >>> porf.check("examples/histories/iriw.txt", "ra", seconds=1e-9)
    Traceback (most recent call last):
    porf.errors.UnfinishedError: examples/histories/iriw.txt: the time is up
    """


LIMIT_WORDS = {
    "NONE": "",
    "STEPS": "the steps are used up",
    "TIME": "the time is up",
    "MEMORY": "it would need more memory than it is allowed",
    "STOPPED": "interrupted",
}


class SpentError(BaseException):
    """A limit ended work that has nothing to say by halves; whoever knows what was asked says so in its place. No
    `except Exception` may take it for a fault."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit = limit

    def __str__(self) -> str:
        return LIMIT_WORDS[self.limit.name]


class EvidenceError(PorfError):
    """Evidence that does not prove what it claims: a bug in porf, or in whoever made the evidence.

    >>> import porf
    >>> verdict = porf.check(porf.loads("T0 w x 1\\nT0 w x 2\\nT1 r x 2\\nT1 r x 1"), "ra")
    >>> verdict.verify()  # raises an EvidenceError where the evidence does not hold
    """


def wrong_type(function: str, takes: str, given: object) -> TypeError:
    """The error for an argument of a type that makes no sense: `check takes an Execution or a path, not an int`."""
    return TypeError(f"{function} takes {takes}, not {_kind(given)}")


def _kind(given: object) -> str:
    """What something is, with an article: `an int`."""
    name = type(given).__name__
    return "None" if given is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


LARGEST = 2**63 - 1  # number that the core counts with
LONGEST = 10**9  # seconds that anything may take
SEEDS = 2**64  # how many there are

# What the options of the public functions are, by name: the types that they have, and the words for these.
_COUNT = ((int,), "a whole number above 0")
_OPTIONS: dict[str, tuple[tuple[type, ...], str]] = {
    "seconds": ((int, float), "a number above 0"),
    **dict.fromkeys(("memory", "steps", "limit", "unroll", "jobs", "runs", "depth", "size"), _COUNT),
    "events": ((int,), "a whole number"),
    "checkpoint": ((str, os.PathLike), "a path"),
    "assume": ((str, os.PathLike), "a path"),
    "replay": ((str,), "a token"),
    "seed": ((int,), "a whole number"),
}


def check_options(**given: object) -> None:
    """Refuses options of public functions that have a wrong type or make no sense; None is an option left out."""
    for name, value in given.items():
        kinds, words = _OPTIONS[name]
        if value is None:
            continue
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise TypeError(f"{name} is {words}, not {_kind(value)}")
        if isinstance(value, int | float):
            _check_number(name, words, value)


def _check_number(name: str, words: str, value: float) -> None:
    if words.endswith("above 0") and not value > 0:
        raise UsageError(f"{name} is {words}, not {value}")
    least, most = (0, SEEDS - 1) if name == "seed" else (-LARGEST, LONGEST if name == "seconds" else LARGEST)
    if value < least:
        raise UsageError(f"{name} is {value}", hint=f"it is at least {least}")
    if value > most:
        raise UsageError(f"{name} is too large", hint=f"it is at most {most}")
    if name == "jobs" and value > most_jobs():
        cores = os.cpu_count() or 1
        raise UsageError(f"{value} jobs are more than {most_jobs()}", hint=f"this machine has {cores} processors")


@cache
def most_jobs() -> int:
    """More would only wait for each other, and take memory."""
    return max(64, 8 * (os.cpu_count() or 1))


def nearest(name: str, known: Iterable[str]) -> str | None:
    """A hint that names the nearest known spelling, or None when nothing is near."""
    from difflib import get_close_matches  # only when something is wrong

    found = get_close_matches(str(name), list(known), n=1, cutoff=0.5)
    return f"did you mean '{found[0]}'?" if found else None


def shown(text: str, escape: Callable[[str], str] = ascii) -> str:
    """The text as it may leave porf: what would steer a terminal or turn the direction of a line is escaped, and so is
    what no encoding has. Every text for people passes here; `escape` writes one character, in quotes."""
    if text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(c if c in "\n\t" or c.isprintable() else escape(c)[1:-1] for c in text)


def window(text: str, column: int, limit: int = 120) -> tuple[str, int]:
    """The part of a long line around a column, with tabs flattened, and the column's place in it."""
    flat = "".join(c if c.isprintable() else " " for c in text)
    if len(flat) <= limit:
        return flat, column
    start = max(0, min(column - limit // 2, len(flat) - limit))
    return ("…" if start else "") + flat[start : start + limit], column - start + (1 if start else 0)
