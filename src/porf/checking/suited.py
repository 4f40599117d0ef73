"""Whether a model speaks of what a history says: of its architecture's words, and of the orders of C.

To read a fence of one machine as that of another, or as no fence at all, would be a guess.
"""

import numpy as np

from porf._core import RealTime
from porf.architectures import ARCHITECTURES
from porf.errors import FormatError, ModelError, PorfError
from porf.execution import UNKNOWN, Execution, Op, Order
from porf.formats.locate import error_on_field
from porf.language import base
from porf.language import relation as r
from porf.models.registry import ALL_MODELS, MODELS, WITHOUT_FENCES, Model


def suited(model: Model, execution: Execution) -> Model:
    """The model as it reads on the architecture of the history; raises a PorfError where the two do not fit."""
    _refuse_timeless(model, execution)
    _refuse_open(model, execution)
    own = model.header.architecture
    if own is not None:
        _refuse_orders(execution, model, ARCHITECTURES[own].title)
    if execution.tag is None:
        return _knows_exclusives(execution, model) if own is None else model
    if own is not None:
        if own not in execution.fitting:
            raise _stranger(execution, model, own)
        return model
    if not execution.fitting:
        raise _mixed(execution)
    if model is MODELS.get(model.name):
        return _neutral(execution, model)
    readings = [model.on(name) for name in execution.fitting]
    readable = readings if len(readings) == 1 else [reading for reading in readings if _reads(reading)]
    if len(readable) > 1:
        names = [str(reading.architecture) for reading in readable]
        titles = " and ".join(ARCHITECTURES[name].title for name in names)
        hint = f"say in its opening comment which is meant: Architecture: {names[0]}"
        message = f"this history's fences and accesses may be of {titles}, and the model does not say of which it is"
        raise ModelError(message, source=model.shown_path, hint=hint)
    return (readable or readings)[0]


def _refuse_timeless(model: Model, execution: Execution) -> None:
    """Real time is no relation of a history that has none."""
    if execution.times is not None or not looks_at_time(model):
        return
    message = f"{model.name} asks when operations ran, and no event of this history has a time"
    raise FormatError(message, source=execution.source, hint="write time=START..END after an event")


def _refuse_open(model: Model, execution: Execution) -> None:
    """Writers are searched for where there are candidates; that an operation found no such value, or had no effect, is
    said of registers only."""
    if model.time == RealTime.ALONE or not bool((execution.rf == UNKNOWN).any()):
        return
    found, times = execution.open_reads, execution.times
    empty = np.diff(found.start) == 0
    if times is not None:
        empty |= (execution.op[found.rows] == Op.UPDATE) & times.begins[found.rows] & ~times.ends[found.rows]
    if empty.any():
        row = int(found.rows[empty][0])
        message = f"none of the writes may be what '{execution.describe(row)}' reads"
        raise error_on_field(execution, row, "rf", message, hint="--model lin decides histories of registers")


def looks_at_time(model: Model) -> bool:
    """Whether the model's axioms mention real time."""
    if model.time != RealTime.IGNORED:
        return True
    return ALL_MODELS.get(model.name) is not model and model.file.looks_at_time


def _reads(model: Model) -> bool:
    """Whether the file has a meaning on its architecture: whether the names that it uses exist there."""
    try:
        return bool(model.file.axioms)
    except ModelError:
        return False


def _refuse_orders(execution: Execution, model: Model, title: str) -> None:
    """A model of an architecture knows neither the orders of C nor fences without a name."""
    rows = np.flatnonzero(~np.isin(execution.order, (int(Order.NA), int(Order.RLX))))
    if len(rows):
        row = int(rows[0])
        message = f"{model.name} is a model of {title}, which has no orders of C: '{execution.describe(row)}'"
        raise error_on_field(execution, row, "order", message, hint=_words_hint(model))
    fences = execution.op == Op.FENCE
    rows = np.flatnonzero(fences if execution.tag is None else fences & (execution.tag < 0))
    if len(rows):
        row = int(rows[0])
        message = f"{model.name} is a model of {title}, whose fences have names: {execution.name(row)} has none"
        raise error_on_field(execution, row, "op", message, hint=_words_hint(model))


def _words_hint(model: Model) -> str:
    on = ARCHITECTURES[model.header.architecture or ""]
    some = [tag.lower() for tag in on.fences[:3]]
    return f"write what {on.title} has, such as the fence `T0 f {some[0]}` ({', '.join(some)}, …)"


def _stranger(execution: Execution, model: Model, own: str) -> PorfError:
    """The error for a word that the model's architecture does not have."""
    for row in range(len(execution)):
        fence = int(execution.op[row]) == Op.FENCE
        for word in execution.tags_of(row):
            if ARCHITECTURES[own].meant(word, fence) is None:
                others = [a.title for a in ARCHITECTURES.values() if a.meant(word, fence)]
                message = f"{model.name} is a model of {ARCHITECTURES[own].title}, which has no '{word}'"
                hint = f"{' and '.join(others)} {'has' if len(others) == 1 else 'have'} it; choose a model of that"
                return error_on_field(execution, row, "order", message, hint=hint)
    raise AssertionError("some word does not fit")


def _mixed(execution: Execution) -> PorfError:
    """The error for words that no architecture has all of: at the first that leaves none."""
    left = set(ARCHITECTURES)
    for row in range(len(execution)):
        fence = int(execution.op[row]) == Op.FENCE
        for word in execution.tags_of(row):
            now = {name for name in left if ARCHITECTURES[name].meant(word, fence)}
            if not now:
                known = " or ".join(ARCHITECTURES[name].title for name in sorted(left))
                message = f"so far the events are of {known}, which has no '{word}'"
                return error_on_field(execution, row, "order", message, hint="a history is of one architecture")
            left = now
    raise AssertionError("some word does not fit")


def _neutral(execution: Execution, model: Model) -> Model:
    """A built-in model of no architecture may be asked if it looks at no fence and no order."""
    spoken = bool(_names(model) & {"F", *base.ORDER_SETS})
    assert execution.tag is not None
    fences = np.flatnonzero((execution.tag >= 0) & (execution.op == Op.FENCE))
    if spoken or (len(fences) and model.name not in WITHOUT_FENCES):
        row = int(fences[0]) if len(fences) else int(np.flatnonzero(execution.tag >= 0)[0])
        message = f"{model.name} gives no meaning to what an architecture says: '{execution.describe(row)}'"
        hint = f"use a model of {' or '.join(ARCHITECTURES[name].title for name in execution.fitting)}"
        raise error_on_field(execution, row, "order", message, hint=hint)
    return _knows_exclusives(execution, model)


def _knows_exclusives(execution: Execution, model: Model) -> Model:
    """A model that does not look at rmw would let other writes come between the two halves."""
    if "lxsx" in execution.dependencies and not _names(model) & {"rmw", "lxsx"}:
        row = int(execution.dependencies["lxsx"][1][0])
        message = f"{model.name} says nothing of store-conditionals such as '{execution.describe(row)}'"
        raise error_on_field(execution, row, "op", message, hint="use a model of the architecture, or updates (u)")
    return model


def _names(model: Model) -> set[str]:
    """The built-in relations and sets that a model's axioms mention."""
    nodes = r.walk(*(axiom.node for axiom in model.file.axioms))
    return {node.name for node in nodes if isinstance(node, r.Base)}
