"""Chooses among the decision procedures: the row order, the model's kernel, walks, the generic one."""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

import numpy as np

from porf import _core
from porf.checking.budget import Budget
from porf.checking.forced import remark
from porf.checking.global_order import witness_of
from porf.checking.verdict import Answer, Outcome
from porf.errors import UsageError, nearest
from porf.evidence.data import Witness
from porf.execution import UNKNOWN, Execution, Op, Order
from porf.formats.locate import error_on_field
from porf.language.header import OPERATIONS, ORDERS
from porf.models.registry import ALL_MODELS, GENERIC, MODELS, Model
from porf.record import Record

ROW_ORDER = "row-order"
_SHOWN = 3  # events named in an error
_NO_SC_HINT = "replace sc fences by acq_rel updates of one extra location; weaken sc accesses"


class Procedure(Record):
    """A decision procedure that `--algorithm` can force: a module of porf.checking with a function `decide`.

    Costs are at worst, of n events, k threads and w writes.
    """

    module: str
    what: str
    cost: str
    own_files: bool = False  # also for a model file of the right shape, for which it looks itself


PROCEDURES: dict[str, Procedure] = {
    GENERIC: Procedure("generic", "any model: a search for a modification order", "exponential in the writes"),
    "subsets": Procedure("subsets", "the table over all sets of writes", "O(2^w·w)", own_files=True),
    "frontier": Procedure("frontier", "a search over how far each thread has run", "O(n^k)"),
    "gradual": Procedure("gradual", "causal criteria, then enumeration of what they leave open", "O(w!)"),
    "gradual-sat": Procedure("gradual_sat", "causal criteria, then a SAT solver", "O(2^open pairs)"),
    "sat": Procedure("sat", "all axioms to a SAT solver", "O(2^pairs)", own_files=True),
    "datalog": Procedure("datalog", "causal criteria by Datalog, then enumeration", "O(n^3·k), then O(w!)"),
}
ALGORITHMS = ("auto", ROW_ORDER, "kernel", *PROCEDURES)


def _decided(algorithm: str) -> list[str]:
    """The built-in models that an algorithm decides."""
    return [model.name for model in MODELS.values() if algorithm in model.procedures]


def algorithm_table() -> str:
    """What `porf models` says of the algorithms."""
    rows = [("algorithm", "what it does", "worst-case cost", "for")]
    rows.append(("auto", "the row order, then the kernel; for sc tso pso rmo SAT where that is slow", "", "all"))
    rows.append((ROW_ORDER, "are the rows a sequential interleaving as they stand?", "O(n)", "all; never inconsistent"))
    rows.append(("kernel", "the model's own, see above", "", "built-in models that have one"))
    for name, p in PROCEDURES.items():
        models = " ".join(_decided(name)) or "all"
        rows.append((name, p.what, p.cost, models + ", files of their shape" * p.own_files))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join("  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[3]]) for row in rows)


def decide(execution: Execution, model: Model, algorithm: str, budget: Budget) -> Outcome:
    """Decides by the named algorithm, or by the first that can: the row order, the kernel, the generic one."""
    if bool((execution.rf == UNKNOWN).any()) and model.time != _core.RealTime.ALONE:
        from porf.checking import writers

        _check_algorithm(algorithm)
        _refuse_unmodelled(execution, model)
        outcome = writers.decide(execution, model, algorithm, budget)
    else:
        outcome = decide_known(execution, model, algorithm, budget)
    own = None if ALL_MODELS.get(model.name) is model else model.file.note
    notes = [note for note in (outcome.note, remark(execution, model), own) if note]
    return replace(outcome, note="; ".join(notes) or None)


def _check_algorithm(algorithm: str) -> None:
    if algorithm not in ALGORITHMS:
        hint = nearest(algorithm, ALGORITHMS) or "one of " + ", ".join(ALGORITHMS)
        raise UsageError(f"unknown algorithm '{algorithm}'", hint=hint)


def no_row_order() -> Outcome:
    note = "the row order is not a sequential interleaving; another order may be"
    return Outcome(Answer.UNDECIDED, ROW_ORDER, note=note)


def decide_known(execution: Execution, model: Model, algorithm: str, budget: Budget) -> Outcome:
    """Decides a history that says of each read whom it reads."""
    _check_algorithm(algorithm)
    _refuse_unmodelled(execution, model)
    if algorithm in ("auto", ROW_ORDER) and model.allows_sequential:
        witness = _row_order(execution)
        if witness is not None:
            return Outcome(Answer.CONSISTENT, ROW_ORDER, witness)
    if algorithm == ROW_ORDER:
        return no_row_order()
    if algorithm == "kernel" and model.kernel is None:
        raise UsageError(f"{model.name} has no kernel", hint=f"use --algorithm {GENERIC}, or leave it to auto")
    if algorithm in PROCEDURES:
        procedure = PROCEDURES[algorithm]
        foreign = model is not MODELS.get(model.name)
        if algorithm not in (GENERIC, *model.procedures) and not (foreign and procedure.own_files):
            hint = f"it decides {', '.join(_decided(algorithm))}"
            raise UsageError(f"{algorithm} does not decide {model.name}", hint=hint)
        module = procedure.module
    elif algorithm == "auto" and model.store_order is not None:
        module = "auto"
    elif algorithm == "auto" and (model.kernel is None or model.kernel.module == "walks"):
        module = "by_size"
    else:
        module = model.kernel.module if model.kernel is not None else "generic"
    run: Callable[[Execution, Model, Budget], Outcome] = import_module(f"porf.checking.{module}").decide
    return run(execution, model, budget)


def _row_order(execution: Execution) -> Witness | None:
    """The rows themselves as a sequential interleaving: consistent in every model that allows those."""
    if not _core.row_order_is_sequential(execution.core):
        return None
    return witness_of(execution, np.arange(len(execution), dtype=np.int32), interleaving=True)


def _refuse_unmodelled(execution: Execution, model: Model) -> None:
    """To say anything about what a model does not interpret would be a guess."""
    _refuse_operations(execution, model)
    left_out = [order for word, order in ORDERS.items() if word not in model.header.orders]
    rows = np.flatnonzero(np.isin(execution.order, left_out)) if left_out else np.empty(0)
    if len(rows) == 0:
        return
    row = int(rows[0])
    message, hint = no_such_order(model, Op(int(execution.op[row])), Order(int(execution.order[row])))
    shown = f"{execution.name(row)} is '{execution.describe(row)}'"
    raise error_on_field(execution, row, "order", f"{message}: {shown}", hint=hint)


def no_such_order(model: Model, op: Op, order: Order) -> tuple[str, str]:
    """The message and the hint if a model gives no meaning to the order of an event."""
    message = f"{model.name} has no {order.name.lower()} {'fence' if op == Op.FENCE else 'access'}"
    return message, _NO_SC_HINT if order == Order.SC else f"its orders are {', '.join(model.header.orders)}"


def _refuse_operations(execution: Execution, model: Model) -> None:
    """What the header of a model file leaves out of `Interprets:`."""
    interprets = model.header.interprets
    left_out = [op for word, op in OPERATIONS.items() if word not in interprets]
    if not left_out:
        return
    rows = np.flatnonzero(np.isin(execution.op, left_out))
    if not len(rows):
        return
    found = " and ".join(word for word, op in OPERATIONS.items() if op in execution.op[rows])
    shown = [f"{execution.name(int(row))} '{execution.describe(int(row))}'" for row in rows[:_SHOWN]]
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    raise error_on_field(
        execution,
        int(rows[0]),
        "op",
        f"{model.name} does not interpret {found}: {', '.join(shown)}{more}",
        hint=f"it is a model of {' and '.join(interprets)}; use a model that covers more, or leave these events out",
    )
