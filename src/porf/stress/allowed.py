"""What models say of a litmus test: the final states that each allows, and an execution that ends in another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from porf.checking import check
from porf.checking.verdict import Verdict
from porf.execution import INITIAL, NO_VALUE, Execution, Op, Order
from porf.exploration import explore
from porf.exploration.bugs import thread_names
from porf.exploration.graph import execution_of
from porf.exploration.replay import execution_at
from porf.exploration.request import request_of
from porf.exploration.run import Plan, run
from porf.models import Model, find_model
from porf.programs.form import Opcode, Program
from porf.programs.litmus import LitmusTest, observe
from porf.record import Record
from porf.stress.ending import SECONDS, ending

State = tuple[int, ...]
# Models that allow more and more: the first that has an execution with the final state shows it.
WEAKER = ("x86", "tso", "rc11", "ra", "relaxed")
OF_ASSEMBLY = ("x86tso",)
_DEFINED = frozenset({"assertion", "condition"})  # bugs of programs that mean something nevertheless


class Allowed(Record):
    """The final states that a model allows; None if it does not say, and then why."""

    model: Model
    states: frozenset[State] | None
    why: str = ""

    def forbids(self, state: State) -> bool:
        return self.states is not None and state not in self.states


def allowed_by(test: LitmusTest, model: Model, seconds: float = SECONDS) -> Allowed:
    """As exploration finds them all. A program whose behaviour is not defined may end in any state."""
    found = explore(test, model, seconds=seconds)
    undefined = [bug.kind for bug in found.bugs if bug.kind not in _DEFINED]
    if undefined:
        return Allowed(model, None, f"{undefined[0]}: any state may be seen")
    if not found.finished or found.reasons or found.observation is None:
        return Allowed(model, None, "; ".join(found.reasons) or "exploration did not end")
    return Allowed(model, frozenset(found.observation.states))


def violation(test: LitmusTest, model: Model, state: State) -> Verdict | None:
    """An execution that ends in the state, as a history that the model rejects; None if no model here has one."""
    for name in OF_ASSEMBLY if test.architecture else WEAKER:
        weaker = find_model(name)
        if weaker.name == model.name:
            continue
        found = ending if test.architecture else _execution
        execution = found(test, weaker, state)
        verdict = check(execution, model, seconds=SECONDS) if execution is not None else None
        if verdict is not None and verdict.inconsistent:
            return verdict
    return None


def _execution(test: LitmusTest, model: Model, state: State) -> Execution | None:
    """The first execution of the test under a model that ends in the state."""
    request = request_of(test.program, model, keep_going=True, symmetry=False, commuting=False)
    plan = Plan(seconds=SECONDS, keep_going=True)
    ends = run(request, plan).findings.states
    paths = [end.path for end in ends if state in observe(test, {tuple(end.values): 1}).states]
    again = execution_at(request, plan, min(paths)) if paths else None
    if again is None:
        return None
    rows = again.findings.bugs[0].events
    program = request.program
    found, _ = execution_of(program, rows, thread_names(program, rows), range(len(rows)), 0)
    observers = _observers(program)
    return _joined(found, [n for n, name in enumerate(found.thread_names) if name in observers], test)


def _observers(program: Program) -> set[str]:
    """The names of threads that wait for others."""
    waiting = [any(i.opcode is Opcode.JOIN for i in template.code) for template in program.templates]
    return {start.name for start in program.starts if waiting[start.template]}


def _joined(found: Execution, observers: list[int], test: LitmusTest) -> Execution:
    """As a history, which has no joins: each thread says at its end that it ends, and observers read that first."""
    seen = np.flatnonzero(np.isin(found.thread, observers))
    first = int(seen[0]) if len(seen) else len(found)  # they come last, for they wait
    others = [n for n in range(found.threads) if n not in observers] if len(seen) else []
    count = len(others)
    assert found.read_value is not None and found.written_value is not None and found.init_value is not None

    def inserted(column: Any, writes: Any, reads: Any) -> Any:
        return np.insert(column, first, np.array([*writes, *reads], column.dtype))

    flags = [len(found.loc_names) + n for n in range(count)]
    return Execution(
        thread=inserted(found.thread, others, observers[:1] * count),
        op=inserted(found.op, [Op.WRITE] * count, [Op.READ] * count),
        loc=inserted(found.loc, flags, flags),
        order=inserted(found.order, [Order.REL] * count, [Order.ACQ] * count),
        rf=inserted(found.rf, [INITIAL] * count, [first + n for n in range(count)]),
        read_value=inserted(found.read_value, [NO_VALUE] * count, [1] * count),
        written_value=inserted(found.written_value, [1] * count, [NO_VALUE] * count),
        thread_names=[*found.thread_names],
        loc_names=[*found.loc_names, *(f"ended.{found.thread_names[n]}" for n in others)],
        init_value=np.concatenate([found.init_value, np.zeros(count, np.int64)]),
        source=f"<stress, {test.name}>",
    )


def all_allowed(test: LitmusTest, models: Iterable[str | Model]) -> list[Allowed]:
    return [allowed_by(test, find_model(model)) for model in models]
