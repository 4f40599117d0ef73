"""`porf check`: recorded executions against memory models."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from porf.cli.kinds import redirected
from porf.cli.logs import add_log_options, read_history
from porf.cli.output import Output
from porf.cli.parser import (
    add_input,
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
from porf.errors import PorfError, UsageError

if TYPE_CHECKING:
    from porf.allowance import Allowance
    from porf.checking.verdict import Verdict
    from porf.execution import Execution
    from porf.models import Model

DESCRIPTION = """Checks recorded executions against memory models. Prints the verdict and its evidence: a modification
order if the execution is consistent, and a cycle with the reason for every inferred edge if it is not."""


def add_arguments(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "files", nargs="+", metavar="FILE", help="histories: text, JSON Lines, npz or logs; - is standard input"
    )
    add_model(verb)
    verb.add_argument("--verify", action="store_true", help="verify the evidence independently before printing it")
    verb.add_argument(
        "--follow", action="store_true", help="check events as they arrive, and stop at the first violation"
    )
    verb.add_argument(
        "--strict", action="store_true", help="the order of all events must agree with their times: for sc, tso and pso"
    )
    verb.add_argument(
        "--first", action="store_true", help="name the first event, in time or else by rows, that is inconsistent"
    )
    verb.add_argument("--all", action="store_true", help="list violations that share no read, one after the other")
    add_budget(verb)
    add_input(verb)
    add_output(verb)
    add_reports(verb)
    add_log_options(verb)


def add_budget(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--algorithm", default="auto", help="auto (the default), or one of those that porf models lists")
    add_seconds(verb)
    verb.add_argument("--steps", type=positive(int), metavar="N", help="give up after N steps")
    add_memory(verb)


def run(options: argparse.Namespace, out: Output) -> None:
    from porf.language import read_tree
    from porf.models import ALL_MODELS, find_model

    names = model_names(options)
    models = [find_model(name) for name in names]
    if options.follow:
        return _follow(options, names, out)
    for model in models:
        if ALL_MODELS.get(model.name) is not model:
            _ = read_tree(model.path)  # a user's file is read before any history is
    for file in out.each(options.files):
        allowance = allowed(
            file, options.seconds, memory_bytes(options)
        )  # reading the file counts towards its first verdict
        try:
            with allowance:
                execution = read_history(file, options, out)
        except PorfError as error:
            out.fail(redirected(error, "check", file))
            continue
        for model in out.each(models, [f"{file} under {model.name}" for model in models]):
            try:
                with allowance:
                    verdict = verdict_of(execution, model, options, out)
                    if options.verify:
                        verdict.verify()
                _show(verdict, options, out, allowance)
            except PorfError as error:
                out.fail(error)
            allowance = allowed(file, options.seconds, memory_bytes(options))


def _show(verdict: Verdict, options: argparse.Namespace, out: Output, allowance: Allowance) -> None:
    """The verdict, and what else was asked of it."""
    from porf.checking.violations import first_event, violations

    if not verdict.inconsistent or not (options.first or options.all):
        out.show(verdict, within=allowance)
        return
    for found in violations(verdict, seconds=options.seconds) if options.all else [verdict]:
        out.show(found, within=allowance)
        if options.first:
            out.say(first_event(found, seconds=options.seconds).report())


def verdict_of(execution: Execution, model: str | Model, options: argparse.Namespace, out: Output) -> Verdict:
    from porf.checking import check

    return check(
        execution,
        model,
        algorithm=options.algorithm,
        strict=getattr(options, "strict", False),
        seconds=options.seconds,
        steps=options.steps,
        memory=memory_bytes(options),
        progress=out.progress,
    )


def _follow(options: argparse.Namespace, names: list[str], out: Output) -> None:
    from porf.allowance import most_of_memory
    from porf.checking.follow import follow

    if len(names) > 1 or len(options.files) > 1:
        raise UsageError("--follow takes one stream and one model", hint="run it once for each")
    if options.algorithm != "auto" or options.steps:
        raise UsageError("--follow has its own algorithm, and takes a step an event", hint="--seconds, or --memory")
    if options.strict or options.first or options.all:
        hint = "check the file as a whole for --strict, --first and --all"
        raise UsageError("--follow stops at the first event that breaks the model, as it stands", hint=hint)
    memory = memory_bytes(options) or most_of_memory()
    found = follow(options.files[0], names[0], options.format, options.seconds, memory)
    if options.verify:
        found.verdict.verify()
    out.show(found)
