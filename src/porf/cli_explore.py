"""The arguments of `porf explore`, and what it prints."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from porf.errors import PorfError, UsageError

if TYPE_CHECKING:
    from porf.exploration.found import Exploration
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest

DESCRIPTION = """Explores every consistent execution of a concurrent program, one for each class of (program order,
reads-from), and says whether any of them has a bug: a failed assertion, a data race, a deadlock, a read of
uninitialised memory, an access out of bounds. A program is a source of C or C++ with threads, a litmus test in C, or a
Python file. What stands after -- is for the compiler of C: porf explore queue.c -- -DN=3 -I include. Exit codes: 0 no
bug (an `exists` that is seen is none), 1 a bug (or a `~exists` that is seen, a `forall` that fails), 2 wrong input, 3
undecided."""

_Positive = Callable[[Callable[[str], float]], Callable[[str], float]]


def add_arguments(verb: argparse.ArgumentParser, positive: _Positive) -> None:
    from porf.exploration.request import STRATEGIES

    kinds = "FILE.c, FILE.cpp, FILE.litmus, FILE.py, FILE.py:NAME"
    verb.add_argument("programs", nargs="+", metavar="PROGRAM", help=kinds)
    verb.add_argument("--model", "-m", default="rc11", metavar="M[,M...]", help="default: rc11")
    verb.add_argument(
        "-D",
        dest="parameters",
        action="append",
        default=[],
        metavar="NAME=N",
        help="for a Python factory; a macro in C",
    )
    verb.add_argument("--nondet", type=_choices, metavar="LO..HI", help="C's unknown values; default: 0..1")
    verb.add_argument("--liveness", action="store_true", help="a loop that waits for what never comes is a bug, too")
    verb.add_argument("--leaks", action="store_true", help="memory that a C program never frees is a bug, too")
    verb.add_argument("--strategy", choices=STRATEGIES, default="trust", help="default: trust")
    verb.add_argument(
        "--equivalence", choices=("rf", "mo"), default="rf", help="rf (default), or mo: tell apart by mo, too"
    )
    verb.add_argument("--unroll", type=positive(int), metavar="N", help="cut loops after N iterations: then undecided")
    verb.add_argument("--keep-going", action="store_true", help="collect all distinct bugs, not only the first")
    verb.add_argument("--spurious", action="store_true", help="weak compare-exchanges may fail for no reason")
    verb.add_argument("--limit", type=positive(int), metavar="N", help="stop after N executions: undecided")
    verb.add_argument("--timeout", type=positive(float), metavar="S", help="stop after S seconds: undecided")
    verb.add_argument("--memory", type=positive(int), metavar="MIB", help="stop rather than hold more than this")
    verb.add_argument("--jobs", "-j", type=positive(int), default=1, metavar="N", help="processes that share the work")
    verb.add_argument("--checkpoint", metavar="FILE", help="save what is done here, and go on from there")
    verb.add_argument("--replay", metavar="TOKEN", help="only the execution of a bug that was reported")
    verb.add_argument("--svg", metavar="OUT.svg", help="draw the execution of the first bug")
    verb.add_argument("--self-check", action="store_true", help="remember every execution, and fail if one comes twice")
    verb.add_argument("--json", action="store_true", help="one JSON object a program and model")
    verb.set_defaults(run=run)


def for_compiler(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The arguments of `porf explore`, and those after -- which are for a compiler. Other verbs have none such."""
    if not arguments or arguments[0] != "explore" or "--" not in arguments:
        return arguments, ()
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def run(options: argparse.Namespace) -> int:
    from porf.cli import EXIT_WRONG_INPUT, complain, worst
    from porf.programs.read import Settings, read_programs

    settings = Settings(options.parameters, options.compiler, options.nondet)
    models = [name for name in options.model.split(",") if name]
    _refuse(options, models)
    codes: list[int] = []
    shower = Shower()
    for target in options.programs:
        try:
            found = read_programs(target, settings)
            if options.replay is not None or options.checkpoint is not None:
                found = _chosen(options, target, found, models[0])
        except PorfError as error:
            complain(error)
            codes.append(EXIT_WRONG_INPUT)
            continue
        for program in found:
            for model in models:
                try:
                    code, interrupted = _one(options, target, program, model, shower)
                except PorfError as error:
                    complain(error)
                    code, interrupted = EXIT_WRONG_INPUT, False
                codes.append(code)
                if interrupted:
                    return worst(codes)
    return worst(codes)


def _refuse(options: argparse.Namespace, models: list[str]) -> None:
    if not models:
        raise UsageError("--model needs a model", hint="--model ra")
    several = len(models) > 1 or len(options.programs) > 1
    for option, value in (("--replay", options.replay), ("--checkpoint", options.checkpoint)):
        if value is not None and several:
            raise UsageError(f"{option} is for one program under one model", hint=f"{option} … --model {models[0]}")


def _chosen(
    options: argparse.Namespace, target: str, found: list[Program | LitmusTest], model: str
) -> list[Program | LitmusTest]:
    """Of several programs in a file, the one that a replay is of. A checkpoint is of one that stands alone."""
    from porf.exploration.replay import fits

    if len(found) < 2:
        return found
    if options.checkpoint is not None:
        raise UsageError(f"{target} has {len(found)} programs, and a checkpoint is of one", hint="FILE.py:NAME")
    known = {"strategy": options.strategy, "unroll": options.unroll, "spurious": options.spurious}
    fitting = [program for program in found if fits(options.replay, program, model, **known)]
    if not fitting:
        raise UsageError(
            f"the token '{options.replay}' is not one of {target} under {model}",
            hint="a token replays only on the program, the model and the options that it was printed for",
        )
    return fitting


def _choices(text: str) -> tuple[int, int]:
    low, dots, high = text.partition("..")
    try:
        found = int(low, 0), int(high if dots else low, 0)
    except ValueError:
        found = (1, 0)
    if found[0] > found[1] or max(map(abs, found)) >> 63:
        raise argparse.ArgumentTypeError(f"'{text}' is no range of numbers: 0..3, or -1..1")
    return found


def _one(
    options: argparse.Namespace, target: str, program: Program | LitmusTest, model: str, shower: Shower
) -> tuple[int, bool]:
    from porf.exploration import explore
    from porf.programs.read import split

    shower.begin()
    found = explore(
        program,
        model,
        strategy=options.strategy,
        equivalence=options.equivalence,
        unroll=options.unroll,
        keep_going=options.keep_going,
        self_check=options.self_check,
        spurious=options.spurious,
        leaks=options.leaks,
        liveness=options.liveness,
        limit=options.limit,
        seconds=options.timeout,
        memory=options.memory << 20 if options.memory else None,
        jobs=options.jobs,
        checkpoint=options.checkpoint,
        replay=options.replay,
        progress=shower,
    )
    shower.end()
    file = split(target)[0]
    told = json.dumps(found.record(file), ensure_ascii=False) if options.json else _told(found, target, options)
    print(told, flush=True)
    if options.svg is not None and found.bugs:
        from porf.exploration.picture import draw_bug

        draw_bug(found, file, options.svg)
        options.svg = None
    return _code(found), found.interrupted


def _code(found: Exploration) -> int:
    from porf.cli import EXIT_BUG, EXIT_FAILS, EXIT_HOLDS, EXIT_UNDECIDED

    dead = found.statistics["dead"] if not found.algorithm.endswith("/axioms") else 0
    if found.duplicates or dead:
        print("error: this is a bug in porf: an execution came twice, or could not go on", file=sys.stderr)
        return EXIT_BUG
    if found.verdict == "unsafe":
        return EXIT_FAILS
    return EXIT_HOLDS if found.verdict == "safe" else EXIT_UNDECIDED


def _told(found: Exploration, target: str, options: argparse.Namespace) -> str:
    from porf.exploration.report import told_exploration
    from porf.programs.read import split

    after = "".join(f" {quote(part)}" for part in ("--", *options.compiler)) if options.compiler else ""
    return told_exploration(found, split(target)[0], _command(options, target, found.model), after)


def _command(options: argparse.Namespace, target: str, model: str) -> str:
    """The call that explores this again, without what only concerns its output."""
    parts = ["porf", "explore", target, "--model", model]
    parts += [part for parameter in options.parameters for part in ("-D", parameter)]
    parts += ["--nondet={}..{}".format(*options.nondet)] if options.nondet else []
    parts += ["--leaks"] if options.leaks else []
    parts += ["--liveness"] if options.liveness else []
    parts += ["--unroll", str(options.unroll)] if options.unroll else []
    parts += ["--spurious"] if options.spurious else []
    parts += ["--strategy", options.strategy] if options.strategy != "trust" else []
    return " ".join(quote(part) for part in parts)


class Shower:
    """Executions so far, their rate, and an estimate of all, on a terminal's last line."""

    def __init__(self) -> None:
        self._watched = sys.stderr.isatty()
        self._started = self._shown = time.monotonic()

    def begin(self) -> None:
        self._started = self._shown = time.monotonic()

    def end(self) -> None:
        if self._watched:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def __call__(self, complete: int, blocked: int, share: float) -> None:
        now = time.monotonic()
        if not self._watched or now - self._shown < 0.25 or now - self._started < 1:
            return
        self._shown = now
        rate = complete / (now - self._started)
        total = f", about {complete / share:.3g} in all ({share:.1%} done)" if share > 0 else ""
        stuck = f", {blocked} blocked" if blocked else ""
        print(f"\r{complete} executions{stuck}, {rate:,.0f}/s{total}\x1b[K", end="", file=sys.stderr, flush=True)
