"""Checkpoints: what an exploration has found and what is left of it, in a file. Bugs are saved as their tokens."""

import hashlib
import json
from pathlib import Path
from typing import Any

from porf._core import FinalState, NoSuchPath, Task, Unique
from porf.errors import UsageError
from porf.exploration.replay import replay
from porf.exploration.request import Request
from porf.exploration.run import NUMBERS, Guesses, Plan, Totals
from porf.exploration.token import decode, encode, target_of

KIND = "porf checkpoint"


def save_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """Written whole or not at all."""
    found, head = totals.findings, request.token_head
    data = {
        "of": request.digest(),
        "counts": {name: getattr(found, name) for name in NUMBERS},
        "states": [[state.values, state.executions, state.path] for state in found.states],
        "bugs": [encode(head, target_of(request.program, bug)) for bug in (*found.bugs, *found.refused)],
        "spin_loops": sorted(found.spin_loops),
        "cut_loops": sorted(found.cut_loops),
        "assumptions": sorted(found.assumptions),
        "remaining": [[task.path, task.floor] for task in totals.remaining],
        "guesses": [totals.guesses.woken, totals.guesses.unique.value, totals.guesses.alike],
    }
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(json.dumps({KIND: _sum(data), "data": data}))
        part.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write the checkpoint '{path}': {error.strerror or error}") from None


def load_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """Fills the totals from a checkpoint. If there is none yet, it is created, so that a file that cannot be written is
    reported before any work is done."""
    if not path.exists():
        save_checkpoint(path, request, totals)
        return
    data = _read(path)
    if data["of"] != request.digest():
        raise UsageError(
            f"'{path}' is a checkpoint of another exploration",
            hint="use the program, model and options it was started with, or name another file",
        )
    found = totals.findings
    for name in NUMBERS:
        setattr(found, name, data["counts"][name])
    found.states = [FinalState(*state) for state in data["states"]]
    found.spin_loops = set(data["spin_loops"])
    found.cut_loops = set(data["cut_loops"])
    found.assumptions = set(data["assumptions"])
    woken, unique, alike = data["guesses"]
    totals.guesses = Guesses(woken, Unique(unique), alike)
    for token in data["bugs"]:
        _find_again(path, request, totals, token)
    totals.remaining = [Task(*task) for task in data["remaining"]]
    totals.earlier = totals.done


def _find_again(path: Path, request: Request, totals: Totals, token: str) -> None:
    try:
        asked = request if totals.guesses.alike else request.asking(symmetry=False)
        again = replay(asked, Plan(), decode(request.token_head, token, request.program.name))
    except NoSuchPath:
        again = None
    if again is None:
        raise _damaged(path)
    totals.findings.bugs = [*totals.findings.bugs, *again.findings.bugs]
    totals.findings.refused = [*totals.findings.refused, *again.findings.refused]


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
    raise _damaged(path)


def _damaged(path: Path) -> UsageError:
    return UsageError(
        f"'{path}' is not a checkpoint, or it is damaged", hint="name a file that does not exist to start afresh"
    )


def _sum(data: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
