"""`porf models`: the list of models, the file of one, its properties, and which is stronger than which."""

import argparse
from typing import Any

from porf.cli.output import Output
from porf.cli.parser import add_output, add_seconds, positive
from porf.errors import UsageError, shown

DESCRIPTION = """Lists the models: what decides each, at what cost, and where it was published. With a name, prints
that model's file."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("name", nargs="?", metavar="M", help="print this model's file")
    verb.add_argument("--check", action="store_true", help="which properties M has: prefix-closed, extensible, …")
    verb.add_argument("--hierarchy", action="store_true", help="which model is stronger than which")
    verb.add_argument(
        "--recompute", action="store_true", help="with --hierarchy: compute it again, which takes minutes"
    )
    add_seconds(verb, "how long --check (30) and --recompute (600) may search")
    verb.add_argument("--events", type=positive(int), metavar="N", help="search executions of up to N events (4, 5)")
    add_output(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    if not options.hierarchy and options.recompute:
        raise UsageError("--recompute belongs to --hierarchy", hint="porf models --hierarchy --recompute")
    if options.hierarchy and options.check:
        raise UsageError("--hierarchy and --check are two questions", hint="ask one after the other")
    if options.hierarchy:
        _hierarchy(options, out)
    elif options.check:
        _check(options, out)
    elif options.output is not None:
        raise UsageError("-o belongs to --hierarchy and --check", hint="porf models --hierarchy -o hierarchy.svg")
    else:
        _list(options, out)


def _list(options: argparse.Namespace, out: Output) -> None:
    from porf.models import find_model
    from porf.models.table import model_records, model_table
    from porf.output.json import compact

    if options.json:
        for record in model_records(options.name):
            print(compact(record))
    elif options.name is not None:
        print(shown(find_model(options.name).text), end="")
    else:
        from porf.checking.choose import algorithm_table

        print(model_table(), algorithm_table(), sep="\n\n")


def _limits(options: argparse.Namespace) -> dict[str, Any]:
    return {key: getattr(options, key) for key in ("seconds", "events") if getattr(options, key) is not None}


def _hierarchy(options: argparse.Namespace, out: Output) -> None:
    """As stored with the models, or computed anew."""
    from porf.comparison.hierarchy import compute, stored

    if options.name is not None:
        raise UsageError("--hierarchy is about all models", hint=f"porf compare {options.name} OTHER compares two")
    out.progress.unit = "executions"
    found = compute(**_limits(options), progress=out.progress) if options.recompute else stored()
    for result in found.entries.values() if options.json else (found,):
        out.show(result)


def _check(options: argparse.Namespace, out: Output) -> None:
    from porf.comparison.properties import check_properties

    if options.name is None:
        raise UsageError("--check is about one model", hint="porf models --check tso")
    out.progress.unit = "executions"
    for finding in check_properties(options.name, **_limits(options), progress=out.progress):
        out.show(finding)
