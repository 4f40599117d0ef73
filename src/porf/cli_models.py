"""The verbs about models: `porf compare`, and the options of `porf models` that ask what holds of a model."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

_COMPARE = """Which of two models is stronger? For each direction a proof, or an execution that one of them allows and
the other forbids, with the evidence of both verdicts and as a C litmus test. Exit codes: 0 all that A allows, B allows
(equal, or A is stronger); 1 it does not (A is weaker, or they are incomparable); 3 not known."""
_CODES = {"equal": 0, "stronger": 0, "weaker": 1, "incomparable": 1, "unknown": 3}


_Positive = Callable[[Callable[[str], float]], Callable[[str], float]]


def add_compare(verbs: Any, positive: _Positive) -> None:
    verb = verbs.add_parser("compare", help="which of two models is stronger?", description=_COMPARE)
    verb.add_argument("left", metavar="A", help="a name (see porf models) or a model file")
    verb.add_argument("right", metavar="B")
    verb.add_argument("--assume", metavar="FILE.kat", help="only executions that satisfy its assumptions count")
    verb.add_argument("--seconds", type=positive(float), default=20.0, help="give up after so long (default: 20)")
    verb.add_argument("--events", type=positive(int), default=5, help="look at all executions up to this size (5)")
    verb.add_argument("--json", action="store_true", help="one JSON object")
    verb.add_argument("--svg", metavar="OUT.svg", help="draw an execution that tells them apart, A's if there is one")
    verb.set_defaults(run=_compare)


def _compare(options: argparse.Namespace) -> int:
    from porf.automata.compare import compare
    from porf.cli import Progress
    from porf.formats import write_text

    found = compare(
        options.left,
        options.right,
        assume=options.assume,
        seconds=options.seconds,
        events=options.events,
        progress=Progress("executions"),
    )
    print(json.dumps(found.record(), ensure_ascii=False) if options.json else found.report(), flush=True)
    if options.svg is not None and found.counterexamples:
        write_text(options.svg, found.counterexamples[0].forbidden.draw())
    return _CODES[found.relation]


def add_model_options(verb: argparse.ArgumentParser, positive: _Positive) -> None:
    verb.add_argument("--check", action="store_true", help="what holds of M: prefix-closed, extensible, monotone, …")
    verb.add_argument("--hierarchy", action="store_true", help="which model is stronger than which")
    verb.add_argument("--recompute", action="store_true", help="with --hierarchy: anew, not as stored (minutes)")
    verb.add_argument("--save", metavar="OUT.json", help="with --hierarchy: write the table as porf stores it")
    verb.add_argument("--svg", metavar="OUT.svg", help="with --hierarchy: draw it")
    verb.add_argument("--seconds", type=positive(float), help="for the searches of --check (30), --recompute (600)")
    verb.add_argument("--events", type=positive(int), help="their executions' size: at most so many events (4, 5)")


def asks_more(options: argparse.Namespace) -> bool:
    """Whether `porf models` is asked for more than the list of models."""
    from porf.errors import UsageError

    if not options.hierarchy and (options.recompute or options.svg or options.save):
        raise UsageError("--recompute, --svg and --save belong to --hierarchy", hint="porf models --hierarchy")
    if options.hierarchy and options.check:
        raise UsageError("--hierarchy and --check are two questions", hint="ask one after the other")
    return bool(options.hierarchy or options.check)


def run_models(options: argparse.Namespace) -> int:
    return _show_hierarchy(options) if options.hierarchy else _check_model(options)


def _limits(options: argparse.Namespace) -> dict[str, Any]:
    return {key: getattr(options, key) for key in ("seconds", "events") if getattr(options, key) is not None}


def _show_hierarchy(options: argparse.Namespace) -> int:
    """`porf models --hierarchy`: as stored with the models, or computed anew."""
    from porf.automata.hierarchy import compute, stored, stored_text
    from porf.automata.show_hierarchy import draw_hierarchy, hierarchy_table
    from porf.cli import Progress
    from porf.errors import UsageError
    from porf.formats import write_text

    if options.name is not None:
        raise UsageError("--hierarchy is about all models", hint=f"porf compare {options.name} OTHER compares two")
    found = compute(**_limits(options), progress=Progress("executions")) if options.recompute else stored()
    if options.json:
        for entry in found.entries.values():
            print(json.dumps(entry.record(), ensure_ascii=False))
    else:
        print(hierarchy_table(found))
    if options.svg is not None:
        write_text(options.svg, draw_hierarchy(found))
    if options.save is not None:
        write_text(options.save, stored_text(found))
    return 0


def _check_model(options: argparse.Namespace) -> int:
    """`porf models --check M`: 0 every property holds, 1 one fails, 3 one is not known."""
    from porf.automata.properties import check_properties
    from porf.cli import Progress
    from porf.errors import UsageError

    if options.name is None:
        raise UsageError("--check asks what holds of one model", hint="porf models --check tso")
    findings = check_properties(options.name, **_limits(options), progress=Progress("executions"))
    if options.json:
        for finding in findings:
            print(json.dumps({"model": options.name, **finding.record()}, ensure_ascii=False))
    else:
        print("\n\n".join(finding.report() for finding in findings))
    verdicts = {finding.holds for finding in findings}
    return 1 if False in verdicts else 3 if None in verdicts else 0
