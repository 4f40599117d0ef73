"""An execution of a test in assembly that ends in a state, as a history: what the memory holds in the end is read by an
observer, after each thread has said that it ends."""

from __future__ import annotations

from collections.abc import Iterator

from porf.execution import OP_LETTERS, Execution, Op
from porf.exploration import explore
from porf.exploration.graph import Shown
from porf.formats import loads
from porf.models import Model
from porf.programs.litmus import LitmusTest
from porf.programs.litmus.condition import All, Atom
from porf.record import replace

State = tuple[int, ...]
SECONDS = 10.0  # that a model may take to say what it allows
OBSERVER = "observer"


def ending(test: LitmusTest, model: Model, state: State) -> Execution | None:
    """The first execution under a model that ends so; None if it has none."""
    labels = [test.watched[n].label for n in test.shown]
    so = All(tuple(Atom(label, True, value) for label, value in zip(labels, state, strict=True)))
    found = explore(replace(test, quantifier="~exists", condition=so), model, seconds=SECONDS)
    execution = found.bugs[0].execution if found.bugs else None
    if not isinstance(execution, Shown):
        return None
    memory = {
        test.program.label(w.where): value
        for w, value in zip((test.watched[n] for n in test.shown), state, strict=True)
        if w.thread is None
    }
    return loads("\n".join(_lines(execution, memory)), source=f"<stress, {test.name}>")


def _lines(execution: Shown, memory: dict[str, int]) -> Iterator[str]:
    values = execution.init_value if execution.init_value is not None else []
    yield from (f"init {name} {value}" for name, value in zip(execution.loc_names, values, strict=True) if value)
    names = execution.thread_names
    for row in range(len(execution)):
        yield f"{names[execution.thread[row]]} {_event(execution, row)}"
    if not memory:
        return
    yield from (f"{name} w ended.{name} 1" for name in names)
    yield from (f"{OBSERVER} r ended.{name} 1" for name in names)
    yield from (f"{OBSERVER} r {place} {value}" for place, value in memory.items())


def _event(execution: Shown, row: int) -> str:
    """With numbers for addresses, which the words of an execution call by their names."""
    op, words = execution.op[row], execution.words[row].split()
    if op == Op.FENCE:
        return " ".join(words)
    assert execution.read_value is not None and execution.written_value is not None
    read, written = execution.read_value[row], execution.written_value[row]
    value = {Op.READ: f"{read}", Op.WRITE: f"{written}"}.get(op, f"{read}->{written}")
    return " ".join([OP_LETTERS[op], execution.loc_names[execution.loc[row]], value, *words[3:]])
