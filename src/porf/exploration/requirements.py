"""What a model must satisfy for its executions to be explored (Kokologiannakis et al. 2023, Section 5.2.1).

Exploration adds events one at a time, each after what it reads from, and never looks back at a graph that has become
inconsistent. So nothing may be allowed that cannot be built in this way.
"""

from functools import lru_cache
from pathlib import Path

from porf import _core, cache
from porf.allowance import look
from porf.architectures import ARCHITECTURES
from porf.checking import check
from porf.checking.budget import Budget
from porf.comparison.properties import Finding, extensible, prefix_closed, without_cycles
from porf.comparison.vocabulary import Lens
from porf.errors import ModelError
from porf.execution import Execution
from porf.formats import dumps, loads
from porf.language.evaluation import unsettled
from porf.models.registry import MODELS, Model, find_model
from porf.record import Record

KIND = "requirements"
_SECONDS = 1.0  # for each search, but that for cycles: it also proves that there are none
_SECONDS_FOR_CYCLES = 10.0
_EVENTS = 3
_ACYCLIC = "(po | rf)-acyclic"
_NO_CYCLE = "program order and reads-from have no cycle"
_LOAD_BUFFERING = [("T0", "r", "x", 1), ("T0", "w", "y", 1), ("T1", "r", "y", 1), ("T1", "w", "x", 1)]
_WHY = {
    _ACYCLIC: "executions with such a cycle cannot be built one event at a time, and would be missed",
    "prefix-closed": "an execution whose parts are not allowed would be missed",
    "extensible": "an exploration could end before its threads do",
}


class Unmet(Record):
    """A requirement that a model does not satisfy, or is not known to satisfy."""

    name: str
    fails: bool  # or it could not be decided
    text: str
    execution: Execution | None = None  # that shows the failure


def check_requirements(model: str | Path | Model) -> list[str]:
    """Names and explains each requirement that fails or cannot be decided; nothing if the model can be explored."""
    return [unmet.text for unmet in unmet_requirements(model)]


def require(model: Model, cycles: bool = False) -> list[str]:
    """Refuses a model whose executions would be missed; otherwise says what could not be decided. With `cycles`, those
    in which program order and reads-from form a cycle are explored, too.

    Whether a model is extensible, the exploration of a program sees by itself: it counts the graphs that cannot go on.
    """
    if model.header.architecture is not None:
        title = ARCHITECTURES[model.header.architecture].title
        hint = "use a model of what C says, such as imm, power or x86"
        raise ModelError(
            f"this is a model of {title}, and the program's orders are those of C", source=model.name, hint=hint
        )
    unmet = [u for u in unmet_requirements(model) if u.name != "extensible" and not (cycles and u.name == _ACYCLIC)]
    for one in unmet:
        if one.fails:
            shown = _example(one)
            raise ModelError(
                f"{one.text}{shown}",
                source=model.shown_path,
                hint="add `acyclic po | rf` to a copy of the file, or use a model that has it (cpp20, ra, sc, tso)"
                if one.name == _ACYCLIC
                else "explore under a model whose axioms only forbid, such as cpp20",
            )
    return [one.text for one in unmet]


def _example(unmet: Unmet) -> str:
    lines = () if unmet.execution is None else dumps(unmet.execution).decode().splitlines()
    return "".join([", for example:", *(f"\n    {line}" for line in lines)]) if lines else ""


def cycle(model: Model) -> str:
    """An execution that the model allows although program order and reads-from form a cycle, in words."""
    return next((_example(u) for u in unmet_requirements(model) if u.name == _ACYCLIC), "")


def has_cycles(model: Model) -> bool:
    """Whether program order and reads-from are known to form a cycle in what the model allows."""
    return any(u.name == _ACYCLIC and u.fails for u in unmet_requirements(model))


def unmet_requirements(model: str | Path | Model) -> list[Unmet]:
    found = find_model(model)
    return list(_unmet(found, found.text))


@lru_cache(maxsize=64)
def _unmet(model: Model, _: str) -> tuple[Unmet, ...]:
    """Of a model whose file has this text. What was found is kept, by what the file means."""
    header = model.header
    meaning = model.name, header.view, header.interprets, header.orders, model.file.program.__getstate__()
    key = cache.word(cache.stamp(), *meaning)
    known = cache.get(KIND, key)
    if isinstance(known, tuple):
        return tuple(Unmet(n, fails, text, None if s is None else loads(s)) for n, fails, text, s in known)
    found = _analysed(model)
    look()  # what a limit left open is not kept
    shown = [None if u.execution is None else dumps(u.execution) for u in found]
    cache.put(KIND, key, tuple((u.name, u.fails, u.text, text) for u, text in zip(found, shown, strict=True)))
    return found


def _analysed(model: Model) -> tuple[Unmet, ...]:
    lens = Lens.of(model)
    budget, patient = Budget(seconds=_SECONDS), Budget(seconds=_SECONDS_FOR_CYCLES)
    try:
        findings = (
            _load_buffering(model) or without_cycles(model, lens, _ACYCLIC, _NO_CYCLE, "po | rf", patient),
            prefix_closed(lens, _EVENTS, budget),
            extensible(lens, _EVENTS, budget),
        )
    except _core.Unsettled:
        raise unsettled(model.file) from None
    return tuple(_explained(model, finding) for finding in findings if not finding.holds)


def _load_buffering(model: Model) -> Finding | None:
    """The smallest cycle of two threads; most models that allow one allow this, and then no search is needed."""
    execution = Execution.from_events(_LOAD_BUFFERING)
    if not check(execution, model.path if model.name not in MODELS else model.name).consistent:
        return None
    return Finding(_ACYCLIC, _NO_CYCLE, False, "load buffering is allowed", allowed=execution)


def _explained(model: Model, finding: Finding) -> Unmet:
    if finding.holds is None:
        text = f"it is not known whether {model.name} is {finding.name} ({finding.meaning}): {finding.reason}"
        return Unmet(finding.name, False, f"{text}; if it is not, {_WHY[finding.name]}")
    return Unmet(
        finding.name,
        True,
        f"{model.name} is not {finding.name} ({finding.meaning}): {_WHY[finding.name]}",
        finding.allowed,
    )
