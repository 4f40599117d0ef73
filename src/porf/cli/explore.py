"""`porf explore`: every execution of a program, and its bugs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from porf.cli.kinds import redirected
from porf.cli.output import Output
from porf.cli.parser import (
    NO_ANSWER,
    add_compiling,
    add_memory,
    add_model,
    add_output,
    add_reports,
    add_seconds,
    allowed,
    given,
    memory_bytes,
    model_names,
    positive,
)
from porf.cli.streams import complain
from porf.errors import PorfError, UsageError
from porf.exploration import DEFAULT_MODEL
from porf.record import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from porf.allowance import Allowance
    from porf.exploration.campaign import Seen
    from porf.exploration.found import Exploration
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest
    from porf.programs.read import Settings

# Options that a command for a replay does not repeat: because the call that reads the program has them, or because the
# execution that is replayed is the same without them.
ELSEWHERE = {"model", "parameters", "nondet", "volatile", "allow", "sandbox"}
WITHOUT_EFFECT = {
    *("equivalence", "lock_orders", "limit", "seconds", "memory", "jobs", "checkpoint", "replay", "self_check"),
    *("expect", "repair", "first"),
    *NO_ANSWER,
}

DESCRIPTION = """Explores every consistent execution of a concurrent program, one for each class of (program order,
reads-from), and says whether any of them has a bug: a failed assertion, a data race, a deadlock, a read of
uninitialised memory, an access out of bounds, … A program is a C or C++ source with threads, a litmus test, or a
Python file. Sources of C without a main are parts of the programs that the others are: porf explore main.c queue.c.
Everything after -- goes to the C compiler: porf explore queue.c -- -DN=3 -I include. Exit codes: 0 no bug (an `exists`
that is observed is not one), 1 a bug (or a `~exists` that is observed, or a `forall` that fails), 2 wrong input, 3
undecided."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    known = "FILE.c, FILE.cpp, FILE.litmus, FILE.py, FILE.py:NAME, a folder of litmus tests, @FILE with a name a line"
    verb.add_argument("programs", nargs="*", metavar="PROGRAM", help=known)
    said = "print which bugs, library functions and assumptions a verdict covers, and explore nothing"
    verb.add_argument("--what", action="store_true", help=said)
    add_model(verb, default=DEFAULT_MODEL)
    add_compiling(verb)
    verb.add_argument("--liveness", action="store_true", help="also report loops that wait forever")
    verb.add_argument("--leaks", action="store_true", help="also report memory that a C program never frees")
    verb.add_argument("--strategy", default="trust", help="trust (the default) or tracer")
    said = "what makes two executions different: rf (default), or mo as well"
    verb.add_argument("--equivalence", choices=("rf", "mo"), default="rf", help=said)
    verb.add_argument(
        "--unroll", type=positive(int), metavar="N", help="cut off loops after N iterations: then undecided"
    )
    verb.add_argument("--keep-going", action="store_true", help="collect all distinct bugs, not just the first one")
    said = "do not look for stronger orders, or a fence, that would make an unsafe program safe (up to 1.4 s)"
    verb.add_argument("--no-repair", dest="repair", action="store_false", help=said)
    said = "show the first execution that has the bug; otherwise, a moment is spent on one that is easier to read"
    verb.add_argument("--first", action="store_true", help=said)
    said = "leave out spurious failures of weak compare-exchanges and of try_lock"
    verb.add_argument("--no-spurious", dest="spurious", action="store_false", help=said)
    said = "explore executions that differ by a permutation of threads that nothing tells apart"
    verb.add_argument("--no-symmetry", dest="symmetry", action="store_false", help=said)
    said = "also tell executions apart by the order of critical sections that commute"
    verb.add_argument("--lock-orders", action="store_true", help=said)
    verb.add_argument("--limit", type=positive(int), metavar="N", help="stop after N executions: undecided")
    add_seconds(verb)
    add_memory(verb)
    verb.add_argument(
        "--jobs", "-j", type=positive(int), default=1, metavar="N", help="share the work among N processes"
    )
    verb.add_argument("--checkpoint", metavar="FILE", help="save progress to FILE, and resume from it")
    verb.add_argument("--replay", metavar="TOKEN", help="run only the execution of a bug that was reported")
    verb.add_argument(
        "--self-check", action="store_true", help="remember every execution, and fail if one is explored twice"
    )
    said = "compare litmus tests with a table (test, model, observation, states) and print only what differs"
    verb.add_argument("--expect", metavar="TABLE", help=said)
    add_output(verb)
    add_reports(verb)
    verb.set_defaults(verb=verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.exploration.campaign import compared, read_expected, seen
    from porf.exploration.replay import replayable
    from porf.programs.read import Settings, as_programs, named, read_programs

    if options.what or not options.programs:
        _what(options, out)
        return
    models = model_names(options)
    given = Settings(
        options.parameters, options.compiler, options.nondet, options.volatile, options.allow, options.sandbox
    )
    table = read_expected(options.expect) if options.expect is not None else None
    with allowed(", ".join(options.programs), options.seconds, memory_bytes(options)):
        targets = as_programs(named(options.programs), given)
    explored: list[Seen] = []
    for option, value in (("--replay", options.replay), ("--checkpoint", options.checkpoint)):
        if value is not None and (len(models) > 1 or len(targets) > 1):
            raise UsageError(f"{option} is for one program under one model", hint=f"{option} … --model {models[0]}")
    if options.jobs > 1 and len(targets) > 1 and all(target.endswith(".litmus") for target, _ in targets):
        explored = _together(options, targets, models, out, table is not None)
        targets = []
    for target, settings in out.each(targets, [target for target, _ in targets]):
        allowance = allowed(target, options.seconds, memory_bytes(options))  # reading counts towards the first
        try:
            with allowance:
                found = read_programs(target, settings)
            if options.replay is not None:
                how = {"strategy": options.strategy, "unroll": options.unroll, "spurious": options.spurious}
                found = replayable(options.replay, found, models[0], options.keep_going, **how)
            if options.checkpoint is not None and len(found) > 1:
                raise UsageError(
                    f"{target} has {len(found)} programs, and a checkpoint is for one", hint="FILE.py:NAME"
                )
        except PorfError as error:
            out.fail(redirected(error, "explore", target))
            continue
        for program in out.each(found, [f"{target}: {program.name}" for program in found]):
            for model in out.each(models, [f"{program.name} under {model}" for model in models]):
                try:
                    found_one = _explore(options, program, model, allowance, out, quiet=table is not None)
                except PorfError as error:
                    out.fail(error)
                    continue
                finally:
                    allowance = allowed(target, options.seconds, memory_bytes(options))
                if table is not None:
                    explored.append(seen(found_one))
    if table is not None:
        out.show(compared(options.expect, table, explored))


def _together(
    options: argparse.Namespace,
    targets: Sequence[tuple[str, Settings]],
    models: Sequence[str],
    out: Output,
    quiet: bool,
) -> list[Seen]:
    """Litmus tests shared among processes, each explored by one of them; what was explored if it is not shown."""
    from porf.exploration.campaign import seen
    from porf.exploration.together import together
    from porf.programs.read import read_programs

    def work(at: int) -> list[Exploration | PorfError]:
        target, settings = targets[at]
        found: list[Exploration | PorfError] = []
        for program in read_programs(target, settings):
            for model in models:
                try:
                    found.append(_found(options, program, model, allowed(target, options.seconds), None, not quiet))
                except PorfError as error:
                    found.append(error)
        return found

    names = [target for target, _ in targets]
    explored: list[Seen] = []
    answers = together(names, work, options.jobs, out.progress.tests)
    try:
        for target in out.each(names):
            answer = next(answers)
            for one in [answer] if isinstance(answer, PorfError) else answer:
                if isinstance(one, PorfError):
                    out.fail(redirected(one, "explore", target))
                elif quiet:
                    explored.append(seen(one))
                else:
                    out.show(one, within=allowed(target, options.seconds, memory_bytes(options)))
    except KeyboardInterrupt:
        out.interrupt()
    finally:
        answers.close()
    return explored


def _what(options: argparse.Namespace, out: Output) -> None:
    if not options.what:
        raise UsageError("no program is named", hint="porf explore FILE.c, or porf explore --help")
    if options.programs:
        raise UsageError("--what is about all programs", hint="porf explore --what")
    from porf.exploration.coverage import Coverage

    out.show(Coverage())


def _explore(
    options: argparse.Namespace,
    program: Program | LitmusTest,
    model: str,
    allowance: Allowance,
    out: Output,
    quiet: bool,
) -> Exploration:
    out.progress.begin()
    found = _found(options, program, model, allowance, out.progress.executions, not quiet)
    if not quiet:
        out.show(found, within=allowance)
    if found.unsaved:
        complain(f"error: {found.unsaved}")
    if found.interrupted:
        out.interrupt()
    return found


def _found(
    options: argparse.Namespace,
    program: Program | LitmusTest,
    model: str,
    allowance: Allowance,
    progress: Callable[[int, int, float], object] | None,
    shown: bool,
) -> Exploration:
    """What is found, with the commands for more of it if it is shown. Without progress this is one of several
    processes, which has its part of the memory."""
    from porf.allowance import most_of_memory
    from porf.exploration import explore
    from porf.exploration.replay import command_of
    from porf.programs.form import Program

    jobs, memory = options.jobs, memory_bytes(options)
    if progress is None:
        jobs, memory = 1, (memory or most_of_memory()) // jobs
    with allowance.without_ticks():
        found = explore(
            program,
            model,
            strategy=options.strategy,
            equivalence=options.equivalence,
            unroll=options.unroll,
            keep_going=options.keep_going,
            first=options.first,
            self_check=options.self_check,
            spurious=options.spurious,
            symmetry=options.symmetry,
            lock_orders=options.lock_orders,
            leaks=options.leaks,
            liveness=options.liveness,
            limit=options.limit,
            seconds=options.seconds,
            memory=memory,
            jobs=jobs,
            checkpoint=options.checkpoint,
            replay=options.replay,
            progress=progress,
        )
    if not shown:
        return found
    if options.repair and progress is not None and options.replay is None and isinstance(program, Program):
        found = _repaired(options, program, model, allowance, found)
    call = (program if isinstance(program, Program) else program.program).call
    again = command_of(call, model, given(options.verb, options, ELSEWHERE | WITHOUT_EFFECT))
    before, after = command_of(call, model, given(options.verb, options, ELSEWHERE | WITHOUT_EFFECT | {"unroll"}))
    further = before.removesuffix("--replay ") + "--unroll ", after
    return replace(found, again=again, further=further)


def _repaired(
    options: argparse.Namespace, program: Program, model: str, allowance: Allowance, found: Exploration
) -> Exploration:
    """With what to change, if there is a bug; that takes no more than what is left of the time."""
    if found.verdict != "unsafe" or not found.bugs or found.interrupted:
        return found
    from porf.exploration.repair import Repair
    from porf.synthesis.repairs import SECONDS, repairs

    with allowance.without_ticks():
        left = allowance.seconds
        if left is not None and left < SECONDS / 10:
            return found
        asked = {name: getattr(options, name) for name in ("spurious", "leaks", "liveness", "unroll")}
        seconds = SECONDS if left is None else min(SECONDS, left)
        try:
            return replace(found, repair=repairs(program, model, found, seconds=seconds, **asked))
        except KeyboardInterrupt:  # the bug is known, whatever becomes of its repair
            said = "the search for one was interrupted; porf orders looks further"
            return replace(found, repair=Repair(why=said), interrupted=True)
