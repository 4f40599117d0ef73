"""Many litmus tests at once, against a table of what is expected of them: which differ, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf.errors import FormatError, UsageError
from porf.record import Record, replace
from porf.result import Case, Exit, Finding, Spot, nothing_to_draw

if TYPE_CHECKING:
    from porf.exploration.found import Exploration

OBSERVATIONS = ("Never", "Sometimes", "Always")
_DIGITS = 18  # of a number of states


class Expected(Record):
    """What a table says of a test under a model; `states` is the number of final states, if it says that, too."""

    observation: str
    states: int | None = None

    def __str__(self) -> str:
        return self.observation if self.states is None else f"{self.observation} {self.states}"


Table = Mapping[tuple[str, str], Expected]
"""By test and model; the model is empty if the table has no such column."""


def read_expected(path: str) -> Table:
    """A table with tabs between its columns, and their names in its first line: test, observation, and perhaps model
    and states."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(error.strerror or str(error), source=path) from None
    except UnicodeDecodeError:
        raise UsageError("not a text file", source=path) from None
    names = lines[0].split("\t") if lines else []
    for needed in ("test", "observation"):
        if needed not in names:
            hint = "the first line names the columns: test, observation, perhaps model and states, with tabs between"
            raise FormatError(
                f"there is no column '{needed}'", source=path, line=1, text=lines[0] if lines else "", hint=hint
            )
    table: dict[tuple[str, str], Expected] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.split("\t")
        row = dict(zip(names, cells, strict=False))
        if len(cells) != len(names):
            _wrong(path, number, line, f"{len(cells)} columns, but the first line names {len(names)}")
        if row["observation"] not in OBSERVATIONS:
            _wrong(path, number, line, f"'{row['observation']}' is none of {', '.join(OBSERVATIONS)}")
        states = row.get("states", "")
        if states and not (states.isdecimal() and len(states) <= _DIGITS):
            _wrong(path, number, line, f"'{states}' is no number of states")
        key = row["test"], row.get("model", "")
        expected = Expected(row["observation"], int(states) if states else None)
        if table.setdefault(key, expected) != expected:
            _wrong(path, number, line, f"{row['test']} is there twice, and differs")
    return table


def _wrong(path: str, number: int, line: str, message: str) -> None:
    raise FormatError(message, source=path, line=number, text=line)


class Difference(Record):
    test: str
    model: str
    expected: Expected
    found: Expected


class Campaign(Record):
    """How tests compare with a table. What could not be explored is not counted, but reported by itself."""

    file: str
    equal: int
    different: tuple[Difference, ...]
    unknown: tuple[str, ...]  # tests of which the table says nothing
    undecided: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        return Exit.FAILS if self.different else Exit.UNDECIDED if self.undecided else Exit.HOLDS

    def headline(self) -> str:
        parts = [f"{self.equal} as expected", f"{len(self.different)} different"]
        parts += [f"{len(self.undecided)} undecided"] if self.undecided else []
        parts += [f"{len(self.unknown)} not in the table"] if self.unknown else []
        return f"{self.file}: {', '.join(parts)}"

    def report(self) -> str:
        lines = []
        if self.different:
            rows = [("test", "model", "expected", "found")]
            rows += [(d.test, d.model, str(d.expected), str(d.found)) for d in self.different]
            widths = [max(len(row[n]) for row in rows) for n in range(4)]
            lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        lines += [f"{name}: undecided" for name in self.undecided]
        return "\n".join([*lines, self.headline()])

    def record(self) -> dict[str, Any]:
        return {
            "expected": self.file,
            "equal": self.equal,
            "different": [
                {"test": d.test, "model": d.model, "expected": str(d.expected), "found": str(d.found)}
                for d in self.different
            ],
            "undecided": list(self.undecided),
            "unknown": list(self.unknown),
        }

    def case(self) -> Case:
        about = "a litmus test whose outcome is not that of the table"
        wrong = tuple(
            Finding(
                "not-as-expected",
                f"{d.test} under {d.model}: expected {d.expected}, found {d.found}",
                Spot(self.file),
                about,
            )
            for d in self.different
        )
        return Case(f"tests against {self.file}", self.file, 0.0, wrong)

    def draw(self) -> str:
        raise nothing_to_draw("a table of differences has no picture")


class Seen(Record):
    """What is kept of a test that was explored: a campaign may have tens of thousands."""

    test: str
    model: str
    undecided: bool
    result: Expected | None  # None: it is no litmus test


def seen(found: Exploration) -> Seen:
    observation = found.observation
    result = None if observation is None else Expected(observation.observation, len(observation.states))
    return Seen(found.program.name, found.model, found.verdict == "undecided", result)


def compared(file: str, table: Table, found: Iterable[Seen]) -> Campaign:
    """Tests that were explored, each against its row."""
    equal, different, unknown, undecided = 0, [], [], []
    for one in found:
        expected = table.get((one.test, one.model)) or table.get((one.test, ""))
        if expected is None or one.result is None:
            unknown.append(one.test)
            continue
        if one.undecided:
            undecided.append(one.test)
            continue
        got = one.result if expected.states is not None else replace(one.result, states=None)
        if got == expected:
            equal += 1
        else:
            different.append(Difference(one.test, one.model, expected, got))
    return Campaign(file, equal, tuple(different), tuple(unknown), tuple(undecided))
