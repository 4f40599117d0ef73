"""Replays: the one execution that shows a bug, by the token that its report had."""

from __future__ import annotations

from dataclasses import replace

from porf.exploration.messages import Kind
from porf.exploration.run import Plan, Request, Totals, run
from porf.exploration.token import Target, damaged, decode
from porf.exploration.witness import execution_at

TREE = ("model", "strategy", "unroll", "spurious")  # the arguments that decide which paths there are


def head_of(request: Request) -> str:
    """The beginning of all tokens of a request: what its paths depend on."""
    return request.digest(TREE)[:6]


def replay_token(request: Request, plan: Plan, token: str) -> Totals:
    """The execution, with the token's bug and no other."""
    target = decode(head_of(request), token, f"{request.program.name} under {request.model}")
    if target.kind == Kind.CONDITION:
        return _with_state(request, plan, target, token)
    for keep_going in (False, True):  # another bug may come first on the same path
        again = replace(request, arguments={**request.arguments, "keep_going": keep_going, "self_check": False})
        once = replace(plan, jobs=1, limit=1, keep_going=keep_going)
        try:
            totals = run(again, once, [(target.path, len(target.path))])
        except ValueError:  # there is no such path
            break
        wanted = target.kind, target.pc, target.path
        totals.bugs = [bug for bug in totals.bugs if (bug["bug"], bug["pc"], list(bug["path"])) == wanted]
        if totals.bugs or totals.limit:
            return totals
    raise damaged(token)


def _with_state(request: Request, plan: Plan, target: Target, token: str) -> Totals:
    """The execution whose final state the condition of a litmus test excludes."""
    try:
        report = execution_at(request, plan, target.path)
    except ValueError:
        report = None
    if report is None:
        raise damaged(token)
    totals = Totals(bugs=[report], states={tuple(report["state"]): 1})
    totals.counts["complete"] = 1
    return totals
