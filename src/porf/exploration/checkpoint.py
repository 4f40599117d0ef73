"""Checkpoints: what an exploration has found and what is left of it, in a file that one exploration uses at a time."""

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN
from pathlib import Path
from typing import Any

from porf._core import NoSuchPath
from porf.errors import UsageError
from porf.exploration.replay import replay
from porf.exploration.request import Request
from porf.exploration.run import NUMBERS, Plan, Totals
from porf.exploration.saved import restore
from porf.exploration.token import decode, encode, target_of
from porf.files import replacing

KIND = "porf checkpoint"
VERSION = 1  # of what is in the file, and how
_locked: set[str] = set()  # by this process, which the system does not keep from its own files


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps other explorations from a checkpoint while the block runs. The lock ends with this process, however that
    ends; its file may stay."""
    import fcntl  # few explorations have a checkpoint

    if "\0" in str(path):
        raise _unwritable(path, "a name cannot contain a zero byte")
    name = os.path.realpath(path)
    if name in _locked:
        raise _in_use(path)
    lock = Path(f"{name}.lock")
    try:
        while True:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(handle), lock.stat()):
                    break
            except FileNotFoundError:
                pass  # whoever had it has just removed it
            except OSError:
                os.close(handle)
                raise
            os.close(handle)
    except OSError as error:
        raise (_in_use(path) if error.errno in (EACCES, EAGAIN) else _unwritable(path, error)) from None
    _locked.add(name)
    try:
        yield
    finally:
        _locked.discard(name)
        with suppress(OSError):
            lock.unlink()
        os.close(handle)


def save_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """Written whole or not at all. Bugs are saved as their tokens."""
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
    try:
        with replacing(path) as file:
            file.write(json.dumps({KIND: VERSION, "digest": _digest(data), "data": data}).encode())
    except OSError as error:
        raise _unwritable(path, error) from None


def load_checkpoint(path: Path, request: Request, totals: Totals) -> None:
    """Fills the totals from a checkpoint. If there is none yet, it is created, so that a file that cannot be written is
    reported before any work is done."""
    if not path.exists():
        save_checkpoint(path, request, totals)
        return
    data = _read(path)
    if data.get("of") != request.digest():
        raise UsageError(
            f"'{path}' is a checkpoint of another exploration",
            hint="use the program, model and options it was started with, or name another file",
        )
    try:
        bugs = restore(data, request, totals)
        for token in bugs:
            _find_again(request, totals, token)
    except (ValueError, KeyError, TypeError, NoSuchPath, UsageError):
        raise damaged(path) from None


def _find_again(request: Request, totals: Totals, token: str) -> None:
    asked = request if totals.guesses.alike else request.asking(symmetry=False)
    again = replay(asked, Plan(), decode(request.token_head, token, request.program.name))
    if again is None or not (again.findings.bugs or again.findings.refused):
        raise ValueError("the program has no such bug")
    totals.findings.bugs = [*totals.findings.bugs, *again.findings.bugs]
    totals.findings.refused = [*totals.findings.refused, *again.findings.refused]


def _read(path: Path) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise UsageError(f"cannot read the checkpoint '{path}': it is no file", hint="name a file")
        whole = json.loads(path.read_bytes())
        data: dict[str, Any] = whole["data"]
        version = whole[KIND]
        if type(version) is int and version != VERSION:
            raise UsageError(
                f"'{path}' is a checkpoint of another version of porf", hint="name another file to start afresh"
            )
        if type(version) is int and type(data) is dict and whole["digest"] == _digest(data):
            return data
    except OSError as error:
        raise UsageError(f"cannot read the checkpoint '{path}': {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise damaged(path)


def _digest(data: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps([KIND, VERSION, data], sort_keys=True).encode()).hexdigest()


def damaged(path: Path) -> UsageError:
    return UsageError(
        f"'{path}' is not a checkpoint, or it is damaged", hint="name a file that does not exist to start afresh"
    )


def _in_use(path: Path) -> UsageError:
    return UsageError(
        f"the checkpoint '{path}' is in use by another exploration",
        hint="wait until that has ended, or name another file",
    )


def _unwritable(path: Path, why: OSError | str) -> UsageError:
    said = why if isinstance(why, str) else why.strerror or why
    return UsageError(f"cannot write the checkpoint '{path}': {said}")
