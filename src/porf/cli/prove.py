"""`porf prove`: the assertions of kat files, about all executions."""

import argparse
from pathlib import Path

from porf.cli.kinds import redirected
from porf.cli.output import Output
from porf.cli.parser import add_language, add_memory, add_output, add_reports, add_seconds, allowed, memory_bytes
from porf.errors import PorfError

DESCRIPTION = """Proves or refutes the assertions of kat files: inclusions between relations, on every execution that
satisfies the base theory and the file's assumptions. For a statement that fails it prints a counterexample: a path,
and an execution with it, as a history and as a litmus test. Exit codes: 0 if all hold, 1 if some fail, 2 if a
file is wrong, 3 if some are unknown."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("files", nargs="+", metavar="FILE.kat", help="statements in kat: assume, assert, let, include")
    add_seconds(verb, "give up on a statement after S seconds: it is unknown, exit code 3")
    add_memory(verb)
    add_language(verb)
    add_output(verb)
    add_reports(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.automata.prove import prove_claim, read
    from porf.checking.budget import Budget

    budget = Budget(options.seconds, None, memory_bytes(options), out.progress)
    for file in out.each(options.files):
        allowance = allowed(file, options.seconds, memory_bytes(options))  # reading the file counts towards the first
        try:
            with allowance:
                script = read(Path(file))
        except PorfError as error:
            out.fail(redirected(error, "prove", file))
            continue
        if not script.claims:
            out.say(f"{file}: nothing is asserted")
        for claim in out.each(script.claims, [f"{file}:{claim.line}" for claim in script.claims]):
            with allowance:
                found = prove_claim(claim, script.theory, budget)
            out.show(found if options.to is None else found.written_in(options.to))
            allowance = allowed(file, options.seconds, memory_bytes(options))
