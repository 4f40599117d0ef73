"""`porf shrink`: the least part of a history that is inconsistent."""

import argparse

from porf.cli.logs import add_log_options, read_history
from porf.cli.output import Output
from porf.cli.parser import add_input, add_memory, add_seconds, allowed, memory_bytes
from porf.errors import UsageError

DESCRIPTION = """Makes an inconsistent history as small as it can be: events are left out as long as the rest is
inconsistent, until none can go. Prints what is left and why it is inconsistent, or writes it as a history (.txt,
.jsonl, .npz), as a litmus test (.litmus) or as a picture (.svg)."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", metavar="HISTORY")
    verb.add_argument("--model", "-m", metavar="M", required=True, help="a model, or a model file")
    verb.add_argument("--strict", action="store_true", help="as of porf check")
    add_seconds(verb, "end with the smallest part that is found in S seconds")
    add_memory(verb)
    add_input(verb)
    said = "write what is left to FILE: a history, a litmus test, a picture or a record, by its suffix"
    verb.add_argument("--output", "-o", dest="small", metavar="FILE", help=said)
    add_log_options(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.checking.violations import shrink
    from porf.formats import WRITTEN, format_of_name, save

    if "," in options.model:
        raise UsageError("shrink takes one model", hint=f"--model {options.model.split(',')[0]}")
    history = options.small and format_of_name(options.small, WRITTEN)
    if not history:
        out.write_to(options.small)
    allowance = allowed(options.file, options.seconds, memory_bytes(options))
    with allowance:
        execution = read_history(options.file, options, out)
        found = shrink(execution, options.model, strict=options.strict, seconds=options.seconds)
    out.show(found, within=allowance)
    if history and found.verdict.inconsistent:
        save(found.part.execution, options.small)
