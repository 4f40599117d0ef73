"""A test in words: whether a bug was found, in how many runs, how much was seen, and each bug with its execution."""

from __future__ import annotations

from porf.exploration.report import SLOW, bug_lines
from porf.exploration.sources import place_text
from porf.testing.tested import Testing


def headline(found: Testing) -> str:
    because = "" if found.bugs or not found.reasons else f" ({'; '.join(found.reasons)})"
    return f"{found.program.name}: {found.answer} under {found.model}{because}"


def report(found: Testing) -> str:
    lines = [headline(found), f"  {_counts(found)}"]
    lines += [f"  note: {note}" for note in found.program.notes]
    if found.complete and not found.replayed:
        lines.append(f"  {found.coverage.text()}")
    if found.runs and not found.complete and not found.bugs:
        lines.append(f"  {_vacuous(found)}")
    if found.ends:
        lines += ["  final states:", *(f"    {line}" for line in _ends(found))]
    if found.dead:
        lines.append("error: this is a bug in porf: a read had no write to take")
    for bug in found.bugs:
        lines += ["", *bug_lines(bug, found)]
    if found.by_seed:
        lines.append(f"  The run is too long for a token: --seed {found.how.seed} --runs {found.runs} makes it again")
    return "\n".join(lines)


def _counts(found: Testing) -> str:
    parts = [f"{found.runs:,} run{'' if found.runs == 1 else 's'}", f"{found.events:,} events"]
    if found.blocked:
        parts.append(f"{found.blocked:,} blocked")
    if found.cut:
        parts.append(f"{found.cut:,} cut")
    ways = (
        f"scheduler {found.how.scheduler.name.lower()}, reading {found.how.reading.name.lower()}, seed {found.how.seed}"
    )
    rate = f", {_rate(found)}" if found.seconds > SLOW else ""
    return f"{', '.join(parts)} ({ways}, {found.seconds:.3f} s{rate})"


def _rate(found: Testing) -> str:
    """Long runs are few: then their events tell how fast it goes."""
    runs, events = found.runs / found.seconds, found.events / found.seconds
    return f"{runs:,.0f} runs/s" if runs >= 10 else f"{events:,.0f} events/s"


def _vacuous(found: Testing) -> str:
    failed = [place_text(place, found.file) for place in found.assumptions]
    waiting = [place_text(place, found.file) for place in found.spins]
    causes = [f"the assumption at {' or '.join(failed)} fails"] if failed else []
    causes += [f"the loop at {' or '.join(waiting)} waits"] if waiting else []
    return f"no run is complete{': in each, ' if causes else ''}{', or '.join(causes)}"


def _ends(found: Testing) -> list[str]:
    """Each with the number of runs, beside what the model allows."""
    width = max((len(f"{runs:,}") for _, runs, _ in found.ends), default=1)
    says = {None: "", True: f"  allowed by {found.model}", False: f"  NOT allowed by {found.model}"}
    return [f"{runs:>{width},}  {line}{says[allowed]}" for line, runs, allowed in found.ends]
