"""`porf convert`: a history from one format to another, and a litmus test in C to one of a machine."""

import argparse

from porf.cli.output import Output
from porf.cli.parser import add_input, allowed
from porf.formats import FORMATS
from porf.formats.litmus import LANGUAGES

DESCRIPTION = """Converts a history between text, JSON Lines and npz without loss, or writes it as a litmus test: in C,
in the assembly of the machine whose words it has, or (--to aarch64) compiled from C to a machine by the standard
mapping. A litmus test in C is compiled to a machine in the same way."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    kinds = (*FORMATS, *LANGUAGES)
    verb.add_argument("input", metavar="IN")
    verb.add_argument("history", metavar="OUT", help="its suffix decides the format; - is standard output")
    said = f"of OUT: {', '.join(FORMATS)}; of a litmus test also {', '.join(LANGUAGES)}"
    verb.add_argument("--to", choices=kinds, metavar="FORMAT", help=said)
    add_input(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.formats import load, save, write_text
    from porf.formats.litmus import litmus_test

    for target in out.each([options.history]):
        with allowed(options.input):
            if options.input.endswith(".litmus"):
                write_text(target, _compiled(options))
            elif options.to in LANGUAGES:
                write_text(target, litmus_test(load(options.input, options.format), language=options.to))
            else:
                save(load(options.input, options.format), target, options.to)


def _compiled(options: argparse.Namespace) -> str:
    """A test in C as one of a machine."""
    from porf.errors import UsageError
    from porf.programs.litmus import LitmusTest
    from porf.programs.litmus.compiled import compiled
    from porf.programs.read import Settings, read_programs

    if options.to not in LANGUAGES:
        machines = [name for name in LANGUAGES if name != "c"]
        raise UsageError(
            "a litmus test is compiled to a machine", source=options.input, hint=f"--to {', '.join(machines)}"
        )
    (test,) = read_programs(options.input, Settings())
    assert isinstance(test, LitmusTest)
    return compiled(test, options.to)
