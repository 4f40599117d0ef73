"""`porf convert`: a history from one format to another."""

import argparse

from porf.cli.output import Output
from porf.cli.parser import add_input, allowed
from porf.formats import FORMATS

DESCRIPTION = """Converts a history between text, JSON Lines and npz without loss, or writes it as a C litmus test."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("input", metavar="IN")
    verb.add_argument("history", metavar="OUT", help="its suffix decides the format; - is standard output")
    verb.add_argument("--to", choices=tuple(FORMATS), metavar="FORMAT", help=f"of OUT: {', '.join(FORMATS)}")
    add_input(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.formats import load, save

    for target in out.each([options.history]):
        with allowed(options.input):
            save(load(options.input, options.format), target, options.to)
