"""Checkpoints of a search: which choices are safe, and the bounds of those that are not. A search that goes on finds
all of that known, and does what is left."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from porf.cache import stamp
from porf.errors import UsageError
from porf.exploration.fingerprint import digest, whole
from porf.files import replacing
from porf.models.registry import Model
from porf.synthesis.judge import Judge

KIND = "porf checkpoint of orders"
EVERY = 5.0  # seconds


class Saved:
    """Keeps what a judge has learnt in a file, if there is one."""

    def __init__(self, path: Path | None, judge: Judge, model: Model) -> None:
        self._path = path
        self._judge = judge
        self._last = time.monotonic()
        self._locks = ExitStack()
        if path is not None:
            sites = [[str(s) for s in (d.site, *d.strengths)] for d in judge.space.domains]
            options = sorted((name, repr(value)) for name, value in judge.options.items() if name != "memory")
            programs = tuple(whole(client.form) for client in judge.clients)
            known = {"model": model.text, "sites": sites, "options": options, "porf": stamp()}
            self._of = digest(programs, model.name, known)

    def __enter__(self) -> Saved:
        if self._path is not None:
            from porf.exploration.checkpoint import locked

            self._locks.enter_context(locked(self._path))
            if self._path.exists():
                self._load(self._path)
            else:
                self._save(self._path)  # so that a file that cannot be written is reported before any work is done
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        if self._path is not None:
            self._save(self._path)
        self._locks.close()

    def step(self) -> None:
        """Something more is known."""
        if self._path is not None and time.monotonic() - self._last > EVERY:
            self._save(self._path)

    def _save(self, path: Path) -> None:
        judge = self._judge
        safe = [[choice, judge.executions.get(choice, 0)] for choice in judge.safe]
        data = {KIND: 1, "of": self._of, "safe": safe, "bounds": judge.bounds}
        try:
            with replacing(path) as file:
                file.write(json.dumps(data).encode())
        except OSError as error:
            raise UsageError(f"cannot write the checkpoint '{path}': {error.strerror or error}") from None
        self._last = time.monotonic()

    def _load(self, path: Path) -> None:
        judge = self._judge
        try:
            data = json.loads(path.read_bytes())
            if data[KIND] != 1:
                raise ValueError
            if data["of"] != self._of:
                raise UsageError(
                    f"'{path}' is a checkpoint of another search",
                    hint="use the programs, model and options that it was started with, or name another file",
                )
            sizes = [len(domain.strengths) for domain in judge.space.domains]
            for choice, executions in data["safe"]:
                if len(choice) != len(sizes) or not all(0 <= n < size for n, size in zip(choice, sizes, strict=True)):
                    raise ValueError
                judge.safe.append(tuple(choice))
                judge.executions[tuple(choice)] = int(executions)
            for bound in data["bounds"]:
                if len(bound) != len(sizes) or not all(0 < n < 1 << s for n, s in zip(bound, sizes, strict=True)):
                    raise ValueError
                judge.bounds.append(tuple(bound))
        except OSError as error:
            raise UsageError(f"cannot read the checkpoint '{path}': {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, RecursionError):
            raise UsageError(
                f"'{path}' is not a checkpoint of orders, or it is damaged",
                hint="name a file that does not exist to start afresh",
            ) from None
