"""`porf test`: random runs of a program, each of them consistent, until a bug is found."""

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
    seed,
)
from porf.errors import PorfError, UsageError
from porf.record import replace
from porf.testing import DEFAULT_EVENTS, DEFAULT_MODEL, DEFAULT_RUNS, DEFAULT_SECONDS

if TYPE_CHECKING:
    from porf.allowance import Allowance
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest

# Options that a command for a replay does not repeat.
ELSEWHERE = {"model", "parameters", "nondet", "volatile", "allow", "sandbox"}
WITHOUT_EFFECT = {
    *("runs", "seconds", "seed", "jobs", "scheduler", "depth", "reading", "minimise", "memory", "replay"),
    *("keep_going", *NO_ANSWER),
}

DESCRIPTION = """Runs a concurrent program again and again, with random schedules and random sources of reads. Every
execution that is made is consistent under the model: at each read, one of the writes that keep it so is chosen. For
programs that are too large to explore. Programs are those of porf explore, and so are the bugs, and what goes to the
C compiler after --. That no bug is found says nothing of other runs. In long runs, SC events are kept in the order in
which they come, which under rc11 and cpp20 leaves out a few classes of executions. Exit codes: 0 no bug in the runs
that were made, 1 a bug, 2 wrong input, 3 some runs were cut or ended in a loop that waits, or none could be made."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    known = "FILE.c, FILE.cpp, FILE.litmus, FILE.py, FILE.py:NAME"
    verb.add_argument("programs", nargs="+", metavar="PROGRAM", help=known)
    add_model(verb, default=DEFAULT_MODEL)
    said = f"stop after N runs ({DEFAULT_RUNS:,}, or after {DEFAULT_SECONDS:g} s, if neither is given)"
    verb.add_argument("--runs", "-n", type=positive(int), metavar="N", help=said)
    add_seconds(verb, "stop after S seconds")
    verb.add_argument("--seed", type=seed, default=0, metavar="N", help="makes other runs (0)")
    verb.add_argument("--jobs", "-j", type=positive(int), default=1, metavar="N", help="run N threads of tests")
    said = "who comes next: uniform, pct, sticky (the same for a while), or mix, one of these in each run (the default)"
    verb.add_argument("--scheduler", default="mix", help=said)
    verb.add_argument("--depth", type=positive(int), default=3, metavar="D", help="of pct: its number of orderings (3)")
    said = "which write a read takes: uniform, old, new, unseen (a pair of instructions), or mix (the default)"
    verb.add_argument("--reading", default="mix", help=said)
    said = f"cut a run after N events ({DEFAULT_EVENTS:,}): exit code 3"
    verb.add_argument("--events", type=positive(int), metavar="N", help=said)
    said = "show the run of a bug as it was met, not a simpler one"
    verb.add_argument("--no-minimise", dest="minimise", action="store_false", help=said)
    verb.add_argument("--replay", metavar="TOKEN", help="make only the run of a bug that was reported")
    verb.add_argument("--keep-going", action="store_true", help="collect all distinct bugs, not just the first one")
    said = "leave out spurious failures of weak compare-exchanges and of try_lock"
    verb.add_argument("--no-spurious", dest="spurious", action="store_false", help=said)
    verb.add_argument("--liveness", action="store_true", help="also report loops that wait forever")
    verb.add_argument("--leaks", action="store_true", help="also report memory that a C program never frees")
    add_compiling(verb)
    add_memory(verb)
    add_output(verb)
    add_reports(verb)
    verb.set_defaults(verb=verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.programs.read import Settings, as_programs, read_programs

    models = model_names(options)
    given = Settings(
        options.parameters, options.compiler, options.nondet, options.volatile, options.allow, options.sandbox
    )
    with allowed(", ".join(options.programs), options.seconds, memory_bytes(options)):
        targets = as_programs(options.programs, given)
    if options.replay is not None and (len(models) > 1 or len(targets) > 1):
        raise UsageError("--replay is for one program under one model", hint=f"--replay … --model {models[0]}")
    for target, settings in out.each(targets, [target for target, _ in targets]):
        allowance = allowed(target, options.seconds, memory_bytes(options))  # reading counts towards the first
        try:
            with allowance:
                found = read_programs(target, settings)
        except PorfError as error:
            out.fail(redirected(error, "test", target))
            continue
        if options.replay is not None and len(found) > 1:
            raise UsageError(f"{target} has {len(found)} programs, and a token is of one", hint="FILE.py:NAME")
        for program in out.each(found, [f"{target}: {program.name}" for program in found]):
            for model in out.each(models, [f"{program.name} under {model}" for model in models]):
                try:
                    _test(options, program, model, allowance, out)
                except PorfError as error:
                    out.fail(error)
                allowance = allowed(target, options.seconds, memory_bytes(options))


def _test(
    options: argparse.Namespace, program: Program | LitmusTest, model: str, allowance: Allowance, out: Output
) -> None:
    from porf.exploration.replay import command_of
    from porf.programs.form import Program
    from porf.testing import test

    out.progress.begin()
    with allowance.without_ticks():
        found = test(
            program,
            model,
            runs=options.runs,
            seconds=options.seconds,
            seed=options.seed,
            jobs=options.jobs,
            scheduler=options.scheduler,
            depth=options.depth,
            reading=options.reading,
            events=options.events,
            minimise=options.minimise,
            keep_going=options.keep_going,
            spurious=options.spurious,
            leaks=options.leaks,
            liveness=options.liveness,
            memory=memory_bytes(options),
            replay=options.replay,
            progress=out.progress.runs,
        )
    call = (program if isinstance(program, Program) else program.program).call
    again = command_of(call, model, given(options.verb, options, ELSEWHERE | WITHOUT_EFFECT), verb="test")
    out.show(replace(found, again=again), within=allowance)
    if found.interrupted:
        out.interrupt()
