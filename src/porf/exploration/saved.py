"""What a checkpoint says, believed only as far as it can be true of the program: a ValueError is all that is raised."""

from __future__ import annotations

from typing import Any

from porf._core import Engine, FinalState, Task, Unique
from porf.exploration.request import Request
from porf.exploration.run import NUMBERS, Guesses, Totals

_FIELDS = {"of", "counts", "states", "bugs", "spin_loops", "cut_loops", "assumptions", "remaining", "guesses"}
_SHARE = "explored"  # the one number that is no count
_MOST = 2.0  # of the share, which is a sum of many fractions


def restore(data: dict[str, Any], request: Request, totals: Totals) -> list[str]:
    """Fills the totals with all but the bugs; returns the tokens of these."""
    if data.keys() != _FIELDS or _object(data["counts"]).keys() != set(NUMBERS):
        raise ValueError("fields are missing, or there are others")
    found, program = totals.findings, request.program
    for name in NUMBERS:
        value = data["counts"][name]
        setattr(found, name, _share(value) if name == _SHARE else _whole(value, 0, 2**64))
    if found.dead and request.settings.engine is not Engine.AXIOMS:
        raise ValueError("engines let every thread go on")
    found.states = [_state(state, len(program.watched)) for state in _list(data["states"])]
    code = sum(len(template.code) for template in program.templates)
    for name in ("spin_loops", "cut_loops", "assumptions"):
        setattr(found, name, {_whole(pc, 0, code) for pc in _list(data[name])})
    woken, unique, alike = _list(data["guesses"], 3)
    totals.guesses = Guesses(_bit(woken), Unique(_whole(unique, 0, 256)), _bit(alike))
    totals.remaining = [_task(task) for task in _list(data["remaining"])]
    totals.earlier = totals.done
    return [_text(token) for token in _list(data["bugs"])]


def _state(state: Any, watched: int) -> FinalState:
    values, executions, path = _list(state, 3)
    registers = [_whole(value, -(2**63), 2**63) for value in _list(values, watched)]
    return FinalState(registers, _whole(executions, 1, 2**64), _path(path))


def _task(task: Any) -> Task:
    path, floor = _list(task, 2)
    return Task(_path(path), _whole(floor, 0, len(path) + 1))


def _path(path: Any) -> list[int]:
    return [_whole(option, 0, 2**31) for option in _list(path)]


def _whole(value: Any, low: int, end: int) -> int:
    if type(value) is not int or not low <= value < end:
        raise ValueError("this is not a number that it can be")
    return value


def _share(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= _MOST:
        raise ValueError("this is not a share")
    return float(value)


def _bit(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError("this is neither true nor false")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError("this is no text")
    return value


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise ValueError("this is no object")
    return value


def _list(value: Any, length: int | None = None) -> list[Any]:
    if type(value) is not list or (length is not None and len(value) != length):
        raise ValueError("this is not a list of that length")
    return value
