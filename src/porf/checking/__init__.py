"""Does this execution satisfy this model? The decision procedures, and the function that asks them.

This module imports nothing heavy: `porf.check` is the function, and the command line wants to start at once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porf.checking.verdict import Verdict
    from porf.execution import Execution
    from porf.models import Model


def check(
    execution: Execution | str | Path,
    model: str | Path | Model,
    *,
    algorithm: str = "auto",
    strict: bool = False,
    seconds: float | None = None,
    steps: int | None = None,
    memory: int | None = None,
    progress: Callable[[int], object] | None = None,
    verify: bool = False,
) -> Verdict:
    """Checks an execution, or the history in a file, against a model, given by name or by the path of a model file.

    >>> import porf
    >>> porf.check("examples/histories/store-buffering.txt", "sc").answer
    Answer.INCONSISTENT
    >>> porf.check(porf.loads("T0 w x 1\\nT1 r x 1"), "sc").consistent
    True

    `algorithm`: "auto" tries the row order, then the model's kernel, then the generic procedure; "row-order", "kernel",
    "generic" and the others that `porf models` lists force one. `strict`: the global order of sc, tso or pso must agree
    with the times of the history. A spent budget (seconds, steps, bytes of memory)
    gives "undecided"; by default, a kernel may use most of the machine's memory and the generic procedure some
    gigabytes. `verify` checks the evidence before returning. If the seconds or the memory end before the history is
    read, or before the evidence is verified, there is no verdict, but an UnfinishedError.
    """
    from porf.allowance import LIMITS, Allowance, Limit, SpentError
    from porf.checking.budget import Budget
    from porf.checking.choose import decide
    from porf.checking.suited import suited
    from porf.checking.verdict import Answer, Outcome, Verdict
    from porf.errors import check_options, wrong_type
    from porf.execution import Execution
    from porf.models import find_model
    from porf.models.registry import strict as strictly

    check_options(seconds=seconds, steps=steps, memory=memory)
    allowance = Allowance(seconds, memory, what=str(getattr(execution, "source", execution)))
    if isinstance(execution, str | os.PathLike):
        from porf.formats import load

        with allowance:
            execution = load(execution)
    if not isinstance(execution, Execution):
        raise wrong_type("check", "an Execution or the path of a history", execution)
    found = suited(strictly(model) if strict else find_model(model), execution)
    started = time.perf_counter()
    with allowance:
        try:
            outcome = decide(execution, found, algorithm, Budget(allowance.seconds, steps, memory, progress))
        except SpentError as spent:
            outcome = Outcome(Answer.UNDECIDED, algorithm, note=LIMITS[spent.limit])
        except KeyboardInterrupt:
            if progress is None or not hasattr(progress, "interrupted"):
                raise
            progress.interrupted = True
            outcome = Outcome(Answer.UNDECIDED, algorithm, note=LIMITS[Limit.STOPPED])
        verdict = Verdict.of(execution, found, outcome, time.perf_counter() - started)
        if verify:
            verdict.verify()
    return verdict
