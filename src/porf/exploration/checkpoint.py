"""Checkpoints: what an exploration has found and what is left of it, in a file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from porf.errors import UsageError
from porf.exploration.run import COUNTS, Request, Totals

KIND = "porf checkpoint"
COLUMNS = ("events", "objects")  # of a bug


def save_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """Written whole or not at all."""
    data = {
        "of": request.digest(),
        "counts": totals.counts,
        "explored": totals.explored,
        "states": [[list(state), count] for state, count in totals.states.items()],
        "bugs": [{**bug, **{name: bug[name].tolist() for name in COLUMNS}} for bug in totals.bugs],
        "spin_loops": sorted(totals.spin_loops),
        "cut_loops": sorted(totals.cut_loops),
        "remaining": totals.remaining,
    }
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps({KIND: _sum(data), "data": data}))
        part.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the checkpoint '{path}': {error.strerror or error}") from None


def load_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """Fills the totals from a checkpoint. If there is none yet, it is begun, so that a file that cannot be written is
    told before any work is done."""
    if not path.exists():
        save_checkpoint(path, request, totals)
        return
    data = _read(path)
    if data["of"] != request.digest():
        raise UsageError(
            f"'{path}' is a checkpoint of another exploration",
            hint="go on with the program, model and options that it was begun with, or name another file",
        )
    totals.counts = {name: int(data["counts"][name]) for name in COUNTS}
    totals.explored = float(data["explored"])
    totals.states = {tuple(state): count for state, count in data["states"]}
    totals.bugs = [{**bug, **{name: np.array(bug[name], np.int64) for name in COLUMNS}} for bug in data["bugs"]]
    totals.spin_loops = set(data["spin_loops"])
    totals.cut_loops = set(data["cut_loops"])
    totals.remaining = [(list(steps), int(floor)) for steps, floor in data["remaining"]]
    totals.earlier = totals.done


def _read(path: Path) -> dict[str, Any]:
    try:
        whole = json.loads(path.read_text())
        data: dict[str, Any] = whole["data"]
        if whole[KIND] == _sum(data):
            return data
    except OSError as error:
        raise UsageError(f"cannot read the checkpoint '{path}': {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise UsageError(
        f"'{path}' is no checkpoint, or it is damaged", hint="name a file that does not exist to begin anew"
    )


def _sum(data: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
