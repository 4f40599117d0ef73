"""Tokens and checkpoints whose checksums are right and whose contents are not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from porf._core import BugKind
from porf.exploration import explore
from porf.exploration.checkpoint import KIND, VERSION, _digest
from porf.exploration.request import opened, request_of
from porf.exploration.token import Target, encode
from porf.models.registry import find_model
from porf.testing.request import request_for
from tests.fuzz.corpus import EXAMPLES

PROGRAMS = [str(EXAMPLES / name) for name in ("litmus/MP.litmus", "litmus/IRIW.litmus", "litmus/INC.litmus")] + [
    str(EXAMPLES / "programs" / name)
    for name in (
        *("message_passing.py:message_passing_relaxed", "dekker.py:textbook", "spinlock.py", "treiber_stack.py"),
        *("filesystem.py", "lastzero.py", "indexer.py"),
    )
]
MODELS = ("ra", "sc", "tso", "rc11", "cpp20", "relaxed", "sra", "pso", "x86")
NUMBERS = (0, 0, 0, 1, 1, 2, 3, 5, 17, 127, 128, 2**31 - 1, 2**31, 2**63, 2**64, 2**70)


def _numbers(draw: random.Random) -> list[int]:
    return [draw.choice(NUMBERS[:9] if draw.random() < 0.9 else NUMBERS) for _ in range(draw.choice((0, 1, 3, 8, 40)))]


@cache
def _head(program: str, model: str, verb: str, strategy: str) -> str:
    form, test = opened(program)
    known = find_model(model)
    keep_going = test is not None
    if verb == "test":
        return request_for(form, known, keep_going=keep_going, spurious=True, leaks=False, liveness=False).token_head
    return request_of(form, known, keep_going=keep_going, strategy=strategy).token_head


def with_token(draw: random.Random, folder: Path) -> list[str]:
    program, model = draw.choice(PROGRAMS), draw.choice(MODELS[:6])
    verb = draw.choice(("explore", "explore", "test"))
    strategy = draw.choice(("trust", "tracer")) if verb == "explore" else "trust"
    target = Target(draw.choice(list(BugKind)), draw.choice(NUMBERS), draw.choice(NUMBERS), _numbers(draw))
    token = encode(_head(program, model, verb, strategy), target)
    if draw.random() < 0.1:
        token = token.replace("-", draw.choice(("", "--", "-AA", "-é", "-\udc80")))
    more = ["--strategy", strategy] if verb == "explore" else []
    return [verb, program, "-m", model, *more, f"--replay={token}", "--seconds", "2"]


@cache
def _begun(program: str, model: str, folder: Path) -> str:
    """A checkpoint of an exploration that has just begun."""
    path = folder / "begun"
    explore(program, model, checkpoint=path, limit=3)
    text = path.read_text()
    path.unlink()
    return text


def with_checkpoint(draw: random.Random, folder: Path) -> list[str]:
    program, model = draw.choice(PROGRAMS), draw.choice(MODELS)
    data: dict[str, Any] = json.loads(_begun(program, model, folder))["data"]
    for _ in range(draw.choice((1, 1, 2, 4))):
        _change(data, draw)
    whole: Any = {KIND: VERSION, "digest": _digest(data), "data": data}
    if draw.random() < 0.1:
        _change(whole, draw)
    path = folder / "checkpoint"
    path.write_text(json.dumps(whole))
    jobs = ["--jobs", "2"] if draw.random() < 0.05 else []
    return ["explore", program, "-m", model, "--checkpoint", str(path), "--seconds", "2", "--limit", "50", *jobs]


def _change(data: dict[str, Any], draw: random.Random) -> None:
    """Changes something somewhere in it."""
    at: Any = data
    while True:
        keys = [*at] if isinstance(at, dict) else [*range(len(at))]
        if not keys:
            at.append(_value(draw)) if isinstance(at, list) else at.update(x=1)
            return
        key = draw.choice(keys)
        if isinstance(at[key], dict | list) and draw.random() < 0.85:
            at = at[key]
            continue
        if draw.random() < 0.15:
            del at[key]
        else:
            at[key] = _value(draw)
        return


def _value(draw: random.Random) -> Any:
    ways: tuple[Callable[[], Any], ...] = (
        lambda: draw.choice((*NUMBERS, -1, -(2**31), -(2**63), -(2**64))),
        lambda: draw.choice((None, True, "", "x", 0.5, -0.5, float("nan"), float("inf"), 1e300, {}, [])),
        lambda: _numbers(draw),
        lambda: [_numbers(draw), draw.choice(NUMBERS)],
        lambda: [_numbers(draw), draw.choice(NUMBERS), _numbers(draw)],
    )
    return draw.choice(ways)()
