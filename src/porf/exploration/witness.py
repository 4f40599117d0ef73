"""An execution that ends in a given state: what shows that the condition of a litmus test is broken.

Exploration only counts how many executions end in a state. So the first one is looked for again, in steps that grow
smaller as it comes near.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

import numpy as np

from porf import _core
from porf.exploration.messages import Kind
from porf.exploration.run import WHOLE, Plan, Request, Task
from porf.programs.lower import lower

STEP = 4096  # executions
SMALLER = 16


def first_with_state(
    request: Request, plan: Plan, states: Collection[tuple[int, ...]], seconds: float
) -> dict[str, Any] | None:
    """The first execution that ends in one of these states, as a report of the core would have it. None if it takes
    longer than this to find it."""
    tasks, step = [WHOLE], STEP
    end = time.monotonic() + seconds
    while tasks and (left := end - time.monotonic()) > 0:
        now, later = (tasks, []) if step > 1 else (tasks[:1], tasks[1:])
        found = _explored(request, plan, now, step, seconds=left)
        if not any(state in states for state in found["states"]):
            tasks = sorted([*((list(path), floor) for path, floor in found["remaining"]), *later])
        elif step > 1:
            step //= SMALLER  # the same once more
        else:
            return execution_at(request, plan, now[0][0])
    return None


def execution_at(request: Request, plan: Plan, path: list[int]) -> dict[str, Any] | None:
    """The first execution below a path, as a report."""
    found = _explored(request, plan, [(path, len(path))], 1, collect=True)
    if not found["executions"]:
        return None
    [state] = found["states"]
    return {
        "bug": int(Kind.CONDITION),
        "event": -1,
        "other": -1,
        "thread": 0,
        "pc": 0,
        "detail": 0,
        "path": path,
        "events": found["executions"][0],
        "objects": np.zeros(0, np.int64),
        "printed": [],
        "state": state,
    }


def _explored(
    request: Request, plan: Plan, tasks: list[Task], limit: int, seconds: float = 0.0, collect: bool = False
) -> dict[str, Any]:
    arguments = {**request.arguments, "keep_going": True, "self_check": False, "collect": collect}
    return _core.explore(
        lower(request.program), tasks=tasks, limit=limit, seconds=seconds, bytes=plan.bytes, progress=None, **arguments
    )
