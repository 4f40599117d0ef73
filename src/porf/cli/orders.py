"""`porf orders`: which memory orders a program needs."""

from __future__ import annotations

import argparse

from porf.cli.kinds import redirected
from porf.cli.output import Output
from porf.cli.parser import (
    add_compiling,
    add_memory,
    add_model,
    add_output,
    add_reports,
    add_seconds,
    allowed,
    memory_bytes,
    model_names,
    positive,
)
from porf.errors import PorfError, UsageError
from porf.exploration import DEFAULT_MODEL

DESCRIPTION = """Finds the weakest memory orders under which programs stay safe, access by access and fence by fence: no
single one of them can be weaker. Several programs are clients of the same code, a lock for example, and must all be
safe. A program that is not safe gets the least stronger orders that make it so. The result is a table and a patch.
Everything after -- goes to the C compiler. Exit codes: 0 safe as it is written, 1 unsafe as it is written, 2 wrong
input, 3 undecided."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    known = "FILE.c, FILE.cpp, FILE.litmus, FILE.py, FILE.py:NAME, a folder of litmus tests, @FILE with a name a line"
    verb.add_argument("programs", nargs="+", metavar="PROGRAM", help=known)
    add_model(verb, default=DEFAULT_MODEL)
    said = "orders in this line stay as they are; FILE alone means all that are in it"
    verb.add_argument("--keep", action="append", default=[], metavar="FILE:LINE", help=said)
    verb.add_argument("--all", dest="every", action="store_true", help="find all choices that are minimal")
    said = "what orders cost: x86, aarch64, riscv, ppc, or a table; the cheapest of the minimal choices is found"
    verb.add_argument("--cost", metavar="TABLE", help=said)
    said = "each program by itself, and not all with the same orders where they share code"
    verb.add_argument("--apart", action="store_true", help=said)
    add_compiling(verb)
    said = "loops that wait for ever are no bugs: weaker orders may then let them wait in vain"
    verb.add_argument("--no-liveness", dest="liveness", action="store_false", help=said)
    verb.add_argument("--leaks", action="store_true", help="memory that a C program never frees is a bug, too")
    said = "leave out spurious failures of weak compare-exchanges and of try_lock"
    verb.add_argument("--no-spurious", dest="spurious", action="store_false", help=said)
    said = "cut off loops after N iterations: then undecided"
    verb.add_argument("--unroll", type=positive(int), metavar="N", help=said)
    add_seconds(verb)
    add_memory(verb)
    verb.add_argument("--checkpoint", metavar="FILE", help="save what is known to FILE, and resume from it")
    add_output(verb)
    add_reports(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.programs.read import Settings, as_programs, named, read_programs
    from porf.synthesis import orders
    from porf.synthesis.clients import kept_in, together

    settings = Settings(
        options.parameters, options.compiler, options.nondet, options.volatile, options.allow, options.sandbox
    )
    names = ", ".join(options.programs)
    allowance = allowed(names, options.seconds, memory_bytes(options))
    models = model_names(options)
    programs = []
    with allowance:
        for target, given in as_programs(named(options.programs), settings):
            try:
                programs += read_programs(target, given)
            except PorfError as error:
                raise redirected(error, "orders", target) from None
    groups = [[program] for program in programs] if options.apart else together(programs)
    known = {place for group in groups for place in kept_in(group, options.keep)}
    wrong = [place for place in options.keep if place not in known]
    if options.checkpoint is not None and (len(groups) > 1 or len(models) > 1):
        raise UsageError("a checkpoint is for one search", hint="name one model, and programs that share orders")
    out.progress.unit = "choices"
    for group in out.each(groups, [", ".join(program.name for program in group) for group in groups]):
        for model in out.each(models, [f"{group[0].name} under {model}" for model in models]):
            out.progress.begin()
            try:
                with allowance.without_ticks():
                    found = orders(
                        group,
                        model,
                        keep=[*kept_in(group, options.keep), *wrong],
                        every=options.every,
                        cost=options.cost,
                        liveness=options.liveness,
                        leaks=options.leaks,
                        spurious=options.spurious,
                        unroll=options.unroll,
                        seconds=options.seconds,
                        memory=memory_bytes(options),
                        checkpoint=options.checkpoint,
                        progress=out.progress.orders,
                    )
            except PorfError as error:
                out.fail(error)
                continue
            finally:
                allowance = allowed(names, options.seconds, memory_bytes(options))
            out.show(found, within=allowance)
            if found.interrupted:
                out.interrupt()
