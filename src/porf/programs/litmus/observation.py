"""What a litmus test shows: the final states of its executions against its condition, in herd's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from porf.programs.form import Program
from porf.programs.litmus.assembly.listing import Listing
from porf.programs.litmus.condition import Condition
from porf.programs.litmus.final import Quantifier, Watched
from porf.record import Record

_KINDS = {"exists": "Allowed", "~exists": "Forbidden", "forall": "Required", None: "Required"}


class LitmusTest(Record):
    """A test as it was read. `condition_text` has the quantifier and the proposition."""

    name: str
    program: Program
    quantifier: Quantifier | None
    condition: Condition
    condition_text: str
    filter: Condition | None  # executions whose final state does not satisfy it do not count
    shown: tuple[int, ...]  # which of the program's watched values states are shown with
    watched: tuple[Watched, ...]  # the same values, and where they are found: in a register or in memory
    threads: int  # how many; the program may have one more, which observes
    architecture: str  # of a test in assembly, or of the Linux kernel; else empty
    listings: tuple[Listing, ...]  # the instructions of each thread of a test in assembly
    as_kernel: Callable[[], LitmusTest] | None  # of a test in C: the same as one of the Linux kernel
    pointers: frozenset[str]  # labels of registers and locations that hold addresses


class Observation(Record):
    """Final states, each with the number of executions that end in it; positive are those that satisfy the
    proposition, whatever the quantifier."""

    test: LitmusTest
    states: dict[tuple[int, ...], int]
    positive: int
    negative: int

    @property
    def observation(self) -> Literal["Always", "Sometimes", "Never"]:
        if self.positive == 0:
            return "Never"
        return "Sometimes" if self.negative else "Always"

    @property
    def ok(self) -> bool:
        """Whether what the quantifier says is so."""
        match self.test.quantifier:
            case "exists":
                return self.positive > 0
            case "~exists":
                return self.positive == 0
            case _:
                return self.negative == 0

    @property
    def failed(self) -> bool:
        """Whether something forbidden was seen; an `exists` that is never satisfied is not a failure."""
        return not self.ok and self.test.quantifier != "exists"

    def text(self, flags: Iterable[str] = ()) -> str:
        """As herd prints it, so that its tools for logs read it; with the flags that a model raises."""
        test = self.test
        lines = [f"Test {test.name} {_KINDS[test.quantifier]}", f"States {len(self.states)}"]
        lines += [self.line(state) for state in sorted(self.states)]
        witnesses = (self.positive, self.negative)
        if test.quantifier == "~exists":  # what bears out the condition is what does not satisfy its proposition
            witnesses = (self.negative, self.positive)
        return "\n".join(
            [
                *lines,
                "Ok" if self.ok else "No",
                "Witnesses",
                f"Positive: {witnesses[0]} Negative: {witnesses[1]}",
                *(f"Flag {name}" for name in flags),
                f"Condition {test.condition_text or 'forall (true)'}",
                f"Observation {test.name} {self.observation} {self.positive} {self.negative}",
            ]
        )

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return {"observation": self.observation, "states": [self.values(state) for state in sorted(self.states)]}

    def values(self, state: tuple[int, ...]) -> dict[str, int | str]:
        """A final state by labels; an address is shown as the name of what is there."""
        return {label: self._value(label, value) for label, value in zip(self._labels(), state, strict=True)}

    def _labels(self) -> list[str]:
        watched = self.test.program.watched
        return [watched[n].label for n in self.test.shown]

    def line(self, state: tuple[int, ...]) -> str:
        """A final state, as herd prints it."""
        labels = self._labels()
        names = [label if ":" in label or "[" in label else f"[{label}]" for label in labels]
        values = [self._value(label, value) for label, value in zip(labels, state, strict=True)]
        return " ".join(f"{name}={value};" for name, value in zip(names, values, strict=True))

    def _value(self, label: str, value: int) -> int | str:
        program = self.test.program
        if not value or label not in self.test.pointers:
            return value
        return program.label(value) if program.nearest(value) is not None or not self.test.architecture else value


def observe(test: LitmusTest, states: Mapping[tuple[int, ...], int]) -> Observation:
    """Judges final states (values in the order of `program.watched`), each with its number of executions."""
    labels = [watch.label for watch in test.program.watched]
    counts = {True: 0, False: 0}
    shown: dict[tuple[int, ...], int] = {}
    for values, executions in states.items():
        state = dict(zip(labels, values, strict=True))
        if test.filter is not None and not test.filter.holds(state):
            continue
        counts[test.condition.holds(state)] += executions
        visible = tuple(values[n] for n in test.shown)
        shown[visible] = shown.get(visible, 0) + executions
    return Observation(test, shown, counts[True], counts[False])


def offending(test: LitmusTest, states: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The final states that the test's quantifier excludes; an `exists` excludes none."""
    if test.quantifier in ("exists", None):
        return []
    labels = [watch.label for watch in test.program.watched]
    named = [(values, dict(zip(labels, values, strict=True))) for values in states]
    counted = [(values, state) for values, state in named if test.filter is None or test.filter.holds(state)]
    return [values for values, state in counted if test.condition.holds(state) == (test.quantifier == "~exists")]
