"""Compiles a litmus test and runs it: a process of its own counts final states, as litmus7 does."""

from __future__ import annotations

import os
import shlex
import signal
from collections.abc import Callable, Sequence

from porf import _core, cache
from porf.errors import PorfError, UsageError
from porf.programs.c.compiler import find_compiler, which
from porf.programs.c.process import run as run_process
from porf.programs.c.process import temporary_folder
from porf.record import Record
from porf.stress.code import ABANDONED, CUT, DROPPED, FAULTS, FINE, Fault
from porf.stress.plan import LAYOUTS
from porf.stress.source import Source

State = tuple[int, ...]
_KIND = "native"  # of what is kept in the cache
_FLAGS = ("-std=gnu11", "-O2", "-fno-strict-aliasing", "-w", "-pthread")
_COMPILERS = ("cc", "gcc", "clang")


class Counts(Record):
    """How often each final state was seen: the values of what the program watches."""

    states: dict[State, int]
    dropped: int  # runs in which an assumption did not hold: they do not count
    cut: int  # runs in which a thread waited for too long
    faults: dict[Fault, int]
    seconds: float
    interrupted: bool

    @property
    def runs(self) -> int:
        return sum(self.states.values()) + self.dropped + self.cut + sum(self.faults.values())


def compiler_command() -> tuple[str, ...]:
    """The compiler that CC names, or else the system's, or else the clang that `porf explore` would use."""
    given = shlex.split(os.environ.get("CC", ""))
    if given:
        if which(given[0]) is None:
            raise UsageError(f"CC is '{given[0]}', but there is no such program", hint="CC=gcc")
        return tuple(given)
    for name in _COMPILERS:
        if found := which(name):
            return (found,)
    try:
        return find_compiler().c
    except UsageError:
        raise UsageError(
            "a litmus test runs as native code, and there is no C compiler to make it",
            hint="install gcc or clang, or name one: CC=/usr/bin/gcc",
        ) from None


def compiled(text: str) -> bytes:
    """The program that the compiler makes of the text."""
    command = compiler_command()
    made_by = cache.state(os.path.realpath(which(command[0]) or command[0]))
    key = cache.word(text.encode(), command, _FLAGS, made_by)
    found: bytes = cache.kept(_KIND, key, lambda: _compile(text, command))
    return found


def _compile(text: str, command: Sequence[str]) -> bytes:
    with temporary_folder() as folder:
        source, output = folder / "test.c", folder / "test"
        source.write_text(text, encoding="utf-8")
        environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(folder), "ZIG_LOCAL_CACHE_DIR": str(folder)}
        try:
            code, said = run_process([*command, *_FLAGS, str(source), "-o", str(output)], environment, folder)
        except OSError as error:
            raise UsageError(f"{command[0]}: {error.strerror or error}", hint="CC names another compiler") from None
        if code:
            words = said.decode("utf-8", "replace").strip()
            raise PorfError(f"{command[0]} cannot compile the test\n{words}", hint="CC names another compiler")
        return output.read_bytes()


def run_native(
    source: Source,
    *,
    runs: int | None = None,
    seconds: float | None = None,
    layout: str = "both",
    seed: int = 0,
    progress: Callable[[int], object] | None = None,
) -> Counts:
    """Runs a test so often, or for so long. Ctrl-C ends it, and what was counted so far is returned."""
    binary = compiled(source.text)
    layouts = LAYOUTS.index(layout) + 1
    with temporary_folder() as folder:
        path = folder / "test"
        path.write_bytes(binary)
        path.chmod(0o700)
        lines, interrupted = _said(
            [str(path), str(runs or 0), f"{seconds or 0:.6f}", str(layouts), str(seed)], progress
        )
    return _counts(lines, source.faults, interrupted)


def _said(command: list[str], progress: Callable[[int], object] | None) -> tuple[list[list[str]], bool]:
    """The words of each line that the process prints in the end, and whether somebody pressed Ctrl-C."""
    import subprocess

    interrupted = False
    try:
        # In a session of its own, so that Ctrl-C reaches it by way of this process alone; and it does not outlive it.
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=_core.end_with_parent
        )
    except OSError as error:
        raise UsageError(
            f"the test cannot be run: {error.strerror or error}", hint="TMPDIR names a folder where programs may run"
        ) from None
    assert process.stdout is not None
    lines: list[list[str]] = []
    with process:
        while True:
            try:
                line = process.stdout.readline()
            except KeyboardInterrupt:
                if interrupted:  # it does not end by itself
                    process.kill()
                    raise
                interrupted = True
                process.send_signal(signal.SIGTERM)
                continue
            if not line:
                break
            match line.split():
                case ["runs", so_far] if progress is not None:
                    progress(int(so_far))
                case ["state" | "end", *_] as words:
                    lines.append(words)
    if process.returncode == -signal.SIGSEGV:
        raise PorfError("the test accessed memory that it does not have", hint="its addresses are those of locations")
    if process.returncode or not lines or lines[-1][0] != "end":
        raise PorfError(f"the test ended with exit code {process.returncode} before it had counted its states")
    return lines, interrupted


def _counts(lines: list[list[str]], faults: Sequence[Fault], interrupted: bool) -> Counts:
    states: dict[State, int] = {}
    others = dict.fromkeys((DROPPED, ABANDONED, CUT), 0)
    wrong: dict[Fault, int] = {}
    for _, said, count, *values in lines[:-1]:
        outcome = int(said)
        if outcome == FINE:
            states[tuple(map(int, values))] = int(count)
        elif outcome >= FAULTS:
            fault = faults[outcome - FAULTS]
            wrong[fault] = wrong.get(fault, 0) + int(count)
        else:
            others[outcome] += int(count)
    return Counts(states, others[DROPPED], others[CUT], wrong, float(lines[-1][1]), interrupted)
