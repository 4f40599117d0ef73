"""The arguments of `porf prove`, and what it prints."""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from porf.errors import PorfError

if TYPE_CHECKING:
    from porf.automata.prove import Result


def add_arguments(verb: argparse.ArgumentParser) -> None:
    from porf.cli import positive

    verb.add_argument("files", nargs="+", metavar="FILE.kat", help="statements in kat: assume, assert, let, include")
    verb.add_argument("--json", action="store_true", help="one JSON object a statement")
    verb.add_argument("--svg", metavar="OUT.svg", help="draw the execution of the last counterexample")
    verb.add_argument("--seconds", type=positive(float), help="for each statement; then it is unknown, exit 3")
    verb.add_argument("--memory", type=positive(int), metavar="MIB", help="give up rather than hold more than this")
    verb.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from porf.automata.prove import proofs, read
    from porf.checking.budget import Budget
    from porf.cli import EXIT_FAILS, EXIT_HOLDS, EXIT_UNDECIDED, EXIT_WRONG_INPUT, Progress, complain, worst

    codes = []
    progress = Progress()
    budget = Budget(options.seconds, None, options.memory and options.memory << 20, progress)
    picture: Result | None = None
    for file in options.files:
        try:
            script = read(Path(file))
        except PorfError as error:
            complain(error)
            codes.append(EXIT_WRONG_INPUT)
            continue
        if not script.claims and not options.json:
            print(f"{file}: nothing is asserted")
        for result in proofs(script, budget):
            print(json.dumps(result.record(), ensure_ascii=False) if options.json else _told(result), flush=True)
            codes.append({"holds": EXIT_HOLDS, "fails": EXIT_FAILS}.get(result.verdict, EXIT_UNDECIDED))
            if result.counterexample is not None and result.counterexample.real:
                picture = result
            if progress.interrupted:
                return worst(codes)
    if options.svg is not None and picture is not None:
        _draw(picture, options.svg)
    return worst(codes)


def _told(result: Result) -> str:
    out = f"{result.file}:{result.line}: {result.verdict}: {result.statement}"
    if result.verdict == "holds":
        return out + (f"\n  note: {result.note}" if result.note else "")
    if result.verdict == "unknown":
        return f"{out}\n  because: {result.why}"
    found = result.counterexample
    assert found is not None
    out += f"\n  counterexample: {found.word}"
    if found.history is None:
        return f"{out}\n  note: {found.note}"
    out += "\n  an execution that has it:\n" + textwrap.indent(found.history.rstrip(), "    ")
    litmus = found.litmus()
    if litmus is not None:
        out += "\n  the same as a C litmus test:\n" + textwrap.indent(litmus.rstrip(), "    ")
    return out


def _draw(result: Result, path: str) -> None:
    from porf.evidence.svg import draw
    from porf.formats import loads, write_text

    assert result.counterexample is not None and result.counterexample.history is not None
    execution = loads(result.counterexample.history)
    write_text(path, draw(execution, title=f"not {result.statement}"))
