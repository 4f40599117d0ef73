"""`porf show`: a history as a picture."""

import argparse

from porf.cli.check import add_budget, verdict_of
from porf.cli.logs import add_log_options, read_history
from porf.cli.output import Output
from porf.cli.parser import add_file, add_input, allowed, memory_bytes, positive
from porf.errors import UsageError

DESCRIPTION = """Draws an SVG picture: threads as columns, events as rows, and po, rf, mo and fr as arrows. With a
model, it highlights the cycle of a violation, or draws the modification order that makes the history consistent."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", metavar="FILE")
    verb.add_argument("--model", "-m", metavar="M", help="draw the evidence of this model's verdict")
    verb.add_argument("--limit", type=positive(int), default=60, metavar="N", help="draw at most about N events (60)")
    add_budget(verb)
    add_input(verb)
    add_file(verb)
    add_log_options(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.evidence.history import Drawing
    from porf.formats import write_text

    allowance = allowed(options.file, options.seconds, memory_bytes(options))
    with allowance:
        execution = read_history(options.file, options, out)
    if options.model is not None and "," in options.model:
        raise UsageError("show draws the evidence of one model", hint=f"--model {options.model.split(',')[0]}")
    with allowance:
        verdict = None if options.model is None else verdict_of(execution, options.model, options, out)
        drawing = Drawing(execution, verdict, options.limit)
        picture = drawing.draw() if options.output is None else ""
    if options.output is None:
        write_text(None, picture)
        out.keep(drawing)
    else:
        made = "drawn in" if options.output.lower().endswith(".svg") else "written to"
        out.show(drawing, f"{drawing.headline()}; {made} {options.output}", within=allowance)
