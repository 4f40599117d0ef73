"""An exploration in words: the answer, what it rests on, and each bug with the execution that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from porf.errors import window
from porf.exploration.found import CANDIDATES, Exploration
from porf.exploration.sources import line_of, place_text
from porf.programs.form import Place
from porf.result import text_width

if TYPE_CHECKING:
    from porf.exploration.bugs import Bug

LONGEST = 100  # rows of a table: the last ones
SLOW = 0.1  # seconds; below that, a rate says nothing


def headline(found: Exploration) -> str:
    return f"{found.program.name}: {found.verdict} under {found.model}{_because(found)}"


def report(found: Exploration) -> str:
    """The answer for people; for a litmus test, in herd's words first."""
    answer = _answer(found)
    if found.impossible:
        answer += "\nerror: this is a bug in porf: an execution was explored twice, or could not continue"
    if found.observation is None or found.replayed:
        return answer
    lines = [f"{found.observation.text(found.flags)}\nTime {found.program.name} {found.seconds:.2f}"]
    if found.verdict == "undecided":
        lines.insert(0, "Not all executions were explored; what follows covers only those that were.")
    if found.bugs or found.reasons or found.vacuous or found.impossible:
        lines.append(answer)
    elif found.algorithm == CANDIDATES:
        lines += [f"note: {note}" for note in found.program.notes]
    return "\n".join(lines) + "\n"


def _answer(found: Exploration) -> str:
    lines = [headline(found), f"  {_counts(found)}"]
    lines += [f"  note: {note}" for note in found.program.notes]
    for place in found.spins:
        where = place_text(place, found.file)
        lines.append(f"  the loop at {where} only waits: an iteration that changes nothing is not repeated")
    if found.cuts:
        lines.append("  each turn leaves other values, so the loop cannot just wait; --unroll N follows N turns:")
        lines.append(f"    {str(found.turns).join(found.further)}")
    if found.bugs and not found.finished and not found.replayed:
        lines.append("  the rest was not explored: --keep-going looks for more bugs")
    for bug in found.bugs:
        lines += ["", *bug_lines(bug, found)]
    if found.repair is not None:
        lines += ["", *_repair_lines(found)] if len(found.bugs) > 1 else _repair_lines(found)
    return "\n".join(lines)


def _repair_lines(found: Exploration) -> list[str]:
    """What to change; and the execution under SC of a bug that no order helps against, if that is another one."""
    assert found.repair is not None
    lines, bug = found.repair.lines(), found.repair.under_sc
    if bug is not None and table(bug) != table(found.bugs[0]):
        lines += ["  Under sc:", *(f"    {line}" for line in table(bug))]
    return lines


def _because(found: Exploration) -> str:
    if found.verdict == "undecided":
        return ": " + "; ".join(found.reasons)
    if found.verdict == "unsafe":
        kinds = [bug.kind for bug in found.bugs]
        counted = [kind if kinds.count(kind) == 1 else f"{kind} ({kinds.count(kind)})" for kind in dict.fromkeys(kinds)]
        return ": " + ", ".join(counted)
    return f", but {found.vacuous}" if found.vacuous else ""


def _counts(found: Exploration) -> str:
    explored = found.executions if found.up_to_symmetry is None else found.up_to_symmetry
    parts = [f"{explored} complete execution{'s' if explored != 1 else ''}"]
    if found.up_to_lock_orders:
        parts[0] += " up to the order of critical sections that commute"
    if found.up_to_symmetry is not None:
        parts = [f"{parts[0]} up to symmetry", f"{found.executions} in all"]
    if found.verdict == "undecided" and not found.finished and not found.replayed:
        parts[0] = f"at least {parts[0]}"  # how many more there are cannot be told from those that came first
    if found.blocked:
        parts.append(f"{found.blocked} blocked")
    if found.statistics.get("erroneous"):
        parts.append(f"{found.statistics['erroneous']} ended in an error")
    if found.statistics.get("cut"):
        parts.append(f"{found.statistics['cut']} cut")
    if found.statistics.get("repeated"):
        parts.append(f"{found.statistics['repeated']} permutations of others met")
    if found.duplicates is not None:
        parts.append(f"{found.duplicates} duplicates")
    rate = f", {explored / found.seconds:,.0f}/s" if explored and found.seconds > SLOW else ""
    return f"{', '.join(parts)} ({found.algorithm}, {found.seconds:.3f} s{rate})"


class Shown(Protocol):
    """What is said of a bug besides what it is."""

    @property
    def file(self) -> str: ...
    @property
    def replayed(self) -> bool: ...
    @property
    def again(self) -> tuple[str, str]: ...


def bug_lines(bug: Bug, found: Shown) -> list[str]:
    """What, where, the execution as a table, and how to see it again."""
    lines = [bug.message if bug.message.startswith(bug.kind) else f"{bug.kind}: {bug.message}"]
    for thread, place in bug.where:
        lines.append(f"  {place_text(place, found.file)} in {thread}")
        lines += [f"    {line}" for line in source_line(place, found.file)]
    lines += ["  The execution:", *(f"    {line}" for line in table(bug))]
    if bug.why is not None:
        lines += ["  Why:", *(f"    {line}" for word in bug.why.words for line in _wrapped(word))]
    if found.replayed and bug.printed:
        lines += ["  Printed:", *(f"    {line}" for line in bug.printed)]
    if bug.token:
        lines.append(f"  Again: {bug.token.join(found.again)}")
    return lines


def _wrapped(text: str) -> list[str]:
    """A sentence in lines that fit."""
    from textwrap import wrap

    indent = " " * (len(text) - len(text.lstrip()))
    return wrap(text, text_width() - 6, initial_indent="", subsequent_indent=f"{indent}  ")


def source_line(place: Place | None, file: str) -> list[str]:
    """The source line with a caret below it; nothing if the file cannot be read."""
    if place is None:
        return []
    text = line_of(place, file)
    if not text.strip():
        return []
    indent = len(text) - len(text.lstrip())
    shown, column = window(text.strip(), max(0, place.column - 1 - indent), text_width() - 10)
    return [shown, " " * column + "^"]


def table(bug: Bug) -> list[str]:
    """The execution with one column per thread, each event below what it depends on; `<-` says where a value is from.

    `>` marks the events at fault, and `!` what a thread was about to do. Events that play no part share a line.
    """
    from porf.exploration.folding import folded

    e = bug.execution
    parts = {part.start: part for part in folded(bug)}
    inside = {row for part in parts.values() for row in part}
    rows = [
        (" ", f"{e.name(row)}…", int(e.thread[row]), _fold(bug, parts[row]))
        if row in parts
        else (">" if row in bug.marked else " ", e.name(row), int(e.thread[row]), _cell(bug, row))
        for row in range(len(e))
        if row in parts or row not in inside
    ]
    if bug.end:
        rows.append(("!", "", bug.thread, bug.end + _line(bug.where[0][1])))
    left_out = max(0, len(rows) - LONGEST)
    rows = rows[left_out:]
    widths = [max([len(name), *(len(r[3]) for r in rows if r[2] == t)]) for t, name in enumerate(e.thread_names)]
    ids = max(len(name) for _, name, _, _ in rows)
    lines = [f"  … {left_out} earlier events; --json has them all"] if left_out else []
    if sum(widths) + 3 * e.threads + 8 > text_width():  # threads stand below each other
        width = max(len(name) for name in e.thread_names)
        return lines + [f"{mark} {name:<{ids}}  {e.thread_names[t]:<{width}}  {cell}" for mark, name, t, cell in rows]
    head = "   ".join(name.ljust(w) for name, w in zip(e.thread_names, widths, strict=True))
    lines.append(f"  {'':<{ids}}  {head}".rstrip())
    for mark, name, t, cell in rows:
        lines.append(f"{mark} {name:<{ids}}  {' ' * (sum(widths[:t]) + 3 * t)}{cell}")
    return lines


def _cell(bug: Bug, row: int) -> str:
    from porf.execution import INITIAL

    e = bug.execution
    source = ""
    if e.reads(row):
        source = " <- init" if e.rf[row] == INITIAL else f" <- {e.name(int(e.rf[row]))}"
    return f"{e.describe(row)}{source}{_line(bug.places[row])}"


def _fold(bug: Bug, part: range) -> str:
    """Events that play no part, in one line."""
    first, last = bug.places[part[0]], bug.places[part[-1]]
    where = _line(first)
    if first is not None and last is not None and first.line != last.line:
        where += f" to :{last.line}"
    return f"… {len(part)} events{where}"


def _line(place: Place | None) -> str:
    return "" if place is None else f"  :{place.line}"
