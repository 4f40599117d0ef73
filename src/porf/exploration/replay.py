"""Replays: the one execution that shows a bug, found by the token in its report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from porf._core import BugKind, BugReport, Engine, Findings, Limit, NoSuchPath, Task, Unique
from porf.exploration.request import Request, opened, request_of
from porf.exploration.run import Plan, Totals, run
from porf.exploration.token import Target, damaged, decode, foreign, gone, target_of
from porf.record import replace

if TYPE_CHECKING:
    from porf.programs.form import Program
    from porf.programs.litmus import LitmusTest


def replay_token(request: Request, plan: Plan, token: str, test: LitmusTest | None) -> Totals:
    """The execution, with the token's bug and no other. A litmus test says which final states are bugs."""
    target = decode(request.token_head, token, f"{request.program.name} under {request.model}")
    totals = None
    ways = [request, request.asking(symmetry=False)]  # the token says nothing of symmetry,
    if request.settings.kept >= 0:  # nor of what a guess of the engine came to
        ways += [way.asking(engine=Engine.AXIOMS) for way in ways]
    for asked in ways:
        try:
            totals = totals or replay(asked, plan, target)
        except NoSuchPath:
            if asked is ways[-1]:
                raise damaged(token) from None
    if totals is None or (target.kind is BugKind.CONDITION and not is_broken(test, totals.findings)):
        raise gone(token)
    return totals


def is_broken(test: LitmusTest | None, found: Findings) -> bool:
    """Whether the condition of a litmus test excludes how an execution ended."""
    if test is None:
        return False
    from porf.programs.litmus import offending

    return bool(offending(test, {tuple(state.values): state.executions for state in found.states}))


def replay(request: Request, plan: Plan, target: Target) -> Totals | None:
    """The execution at a path, if it has the bug."""
    if target.kind is BugKind.CONDITION:
        return execution_at(request, plan, target.path)
    for keep_going in (False, True):  # another bug may come first on the same path
        totals = _only(request, plan, target.path, keep_going=keep_going)
        found = totals.findings
        found.bugs = _meant(request.program, target, found.bugs, keep_going)
        found.refused = _meant(request.program, target, found.refused, keep_going)
        if found.bugs or found.refused or totals.limit is not Limit.NONE or totals.too_large:
            return totals
    return None


def _meant(program: Program, target: Target, reports: list[BugReport], roughly: bool) -> list[BugReport]:
    """The reports of a target; roughly: those of its line, for another compiler may count columns differently."""
    there = [(target_of(program, report), report) for report in reports]
    exactly = [report for found, report in there if found == target]
    if exactly or not roughly:
        return exactly
    return [report for found, report in there if replace(found, column=target.column) == target][:1]


def execution_at(request: Request, plan: Plan, path: list[int]) -> Totals | None:
    """The first execution below a path, whose final state is reported as the bug."""
    totals = _only(request, plan, path, keep_going=True, collect=True)
    if not totals.findings.executions:
        return None
    report = BugReport()
    report.kind, report.thread, report.path = BugKind.CONDITION, 0, path
    report.events = totals.findings.executions[0]
    totals.findings.bugs = [report]
    return totals


def _only(request: Request, plan: Plan, path: list[int], **settings: bool) -> Totals:
    # Paths are the same whatever is guessed; without guesses all of them are followed.
    whole = {"self_check": False, "guess_woken": False, "guess_unique": Unique.NONE}
    once = replace(plan, jobs=1, checkpoint=None, limit=1, progress=None)
    return run(request.asking(**whole, **settings), once, [Task(path, len(path))])


def command_of(call: Sequence[str], model: str, flags: Sequence[str], verb: str = "explore") -> tuple[str, str]:
    """The command that replays a bug, before and after its token. `call` reads the program."""
    at = call.index("--") if "--" in call else len(call)
    parts = ["porf", verb, call[0], "--model", model, *call[1:at], *flags]
    return " ".join([*map(quote, parts), "--replay "]), "".join(f" {quote(part)}" for part in call[at:])


def replayable(
    token: str, programs: Sequence[Program | LitmusTest], model: str | Path, keep_going: bool, **how: Any
) -> list[Program | LitmusTest]:
    """The programs of a file to which a token may belong; `how` they are explored is as for `request_of`."""
    from porf.models.registry import find_model

    if len(programs) == 1:
        return [*programs]  # it says itself what is wrong with a token
    known = find_model(model)
    found = []
    for program in programs:
        form, test = opened(program)
        request = request_of(form, known, keep_going=keep_going or test is not None, **how)
        if token.partition("-")[0] == request.token_head:
            found.append(program)
    if not found:
        raise foreign(token, f"these programs under {known.name}")
    return found
