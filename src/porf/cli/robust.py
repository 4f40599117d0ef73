"""`porf robust`: are all executions of a program sequentially consistent?"""

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
from porf.errors import PorfError
from porf.exploration import DEFAULT_MODEL

DESCRIPTION = """Says whether all executions of a program under a model are sequentially consistent: then reasoning
with interleavings is enough. If not, the smallest execution that is not is shown, with the cycle that no interleaving
has, in the lines of the source. Everything after -- goes to the C compiler. Exit codes: 0 robust, 1 not robust, 2 wrong
input, 3 undecided."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    known = "FILE.c, FILE.cpp, FILE.litmus, FILE.py, FILE.py:NAME, a folder of litmus tests, @FILE with a name a line"
    verb.add_argument("programs", nargs="+", metavar="PROGRAM", help=known)
    add_model(verb, default=DEFAULT_MODEL)
    add_compiling(verb)
    said = "leave out spurious failures of weak compare-exchanges and of try_lock"
    verb.add_argument("--no-spurious", dest="spurious", action="store_false", help=said)
    said = "cut off loops after N iterations: then undecided"
    verb.add_argument("--unroll", type=positive(int), metavar="N", help=said)
    add_seconds(verb)
    add_memory(verb)
    add_output(verb)
    add_reports(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.exploration.robust import robust
    from porf.programs.read import Settings, as_programs, named, read_programs

    settings = Settings(
        options.parameters, options.compiler, options.nondet, options.volatile, options.allow, options.sandbox
    )
    models = model_names(options)
    with allowed(", ".join(options.programs), options.seconds, memory_bytes(options)):
        targets = as_programs(named(options.programs), settings)
    for target, given in out.each(targets, [target for target, _ in targets]):
        allowance = allowed(target, options.seconds, memory_bytes(options))  # reading counts towards the first
        try:
            with allowance:
                programs = read_programs(target, given)
        except PorfError as error:
            out.fail(redirected(error, "robust", target))
            continue
        for program in out.each(programs, [f"{target}: {program.name}" for program in programs]):
            for model in out.each(models, [f"{program.name} under {model}" for model in models]):
                out.progress.begin()
                try:
                    with allowance.without_ticks():
                        found = robust(
                            program,
                            model,
                            unroll=options.unroll,
                            spurious=options.spurious,
                            seconds=options.seconds,
                            memory=memory_bytes(options),
                            progress=out.progress.executions,
                        )
                except PorfError as error:
                    out.fail(error)
                    continue
                finally:
                    allowance = allowed(target, options.seconds, memory_bytes(options))
                out.show(found, within=allowance)
                if found.interrupted:
                    out.interrupt()
