"""`porf compare`: which of two models is stronger?"""

import argparse

from porf.cli.output import Output
from porf.cli.parser import add_language, add_output, add_reports, positive

DESCRIPTION = """Compares two models. For each direction it prints a proof, or an execution that one of them allows and
the other forbids, with the evidence for both verdicts and as a litmus test. Models of machines are compared on critical
cycles, in the words of both. Exit codes: 0 if B allows everything
that A allows (they are equal, or A is stronger); 1 if not (A is weaker, or they are incomparable); 3 if unknown."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("left", metavar="A", help="a name (see porf models) or a model file")
    verb.add_argument("right", metavar="B")
    verb.add_argument("--assume", metavar="FILE.kat", help="consider only executions that satisfy its assumptions")
    verb.add_argument("--seconds", type=positive(float), default=20.0, metavar="S", help="give up after S seconds (20)")
    verb.add_argument(
        "--events", type=positive(int), default=5, metavar="N", help="search executions of up to N events (5)"
    )
    add_language(verb)
    add_output(verb)
    add_reports(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.comparison.compare import compare

    out.progress.unit = "executions"
    limits = {"assume": options.assume, "seconds": options.seconds, "events": options.events}
    found = compare(options.left, options.right, **limits, progress=out.progress)
    out.show(found if options.to is None else found.written_in(options.to))
