"""What orders programs need, in words, as a table, and for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from porf.exploration.report import bug_lines
from porf.exploration.sources import line_of
from porf.programs.sites import Site, Strength
from porf.record import replace
from porf.result import text_width

if TYPE_CHECKING:
    from porf.exploration.found import Exploration
    from porf.synthesis.needed import Orders

SHOWN = 20  # choices of which changes are listed
LEAST = 12  # columns of source, or there is none


def headline(found: Orders) -> str:
    return f"{found.name}: {_answer(found)}"


def _answer(found: Orders) -> str:
    changes, sites = len(found.changes()), len(found.space.domains)
    under = f"under {found.model}"
    because = f": {'; '.join(found.reasons)}" if found.reasons else ""
    as_written = found.found.verdict if found.found is not None else "safe"
    if found.verdict == "undecided":
        if as_written == "undecided":
            return f"undecided {under} as it is written{because}"
        left = _counted(len(found.open), "order")
        if as_written == "unsafe":
            return f"unsafe {under}, and it is undecided what the least stronger orders are{because}"
        return f"safe {under}, and it is undecided whether {left} can be weaker{because}"
    if found.verdict == "safe":
        can = f"{changes} of {_counted(sites, 'order')} can be weaker" if changes else "no order can be weaker"
        return f"safe {under}, and {can}"
    if not found.choices:
        return f"unsafe {under}, and no order saves it{_why(found)}"
    return f"unsafe {under}, and safe with {_counted(changes, 'stronger order')}"


def _why(found: Orders) -> str:
    under_sc = found.under_sc
    if under_sc is None or under_sc.verdict != "unsafe":
        return ": it is unsafe with the strongest"
    return f": {under_sc.bugs[0].kind if under_sc.bugs else 'it is unsafe'} under sc, too"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def report(found: Orders) -> str:
    lines = [headline(found), f"  {_effort(found)}"]
    lines += [f"  note: {note}" for note in found.notes]
    if found.open:
        lines.append("  not decided: " + ", ".join(_place(site) for site in found.open))
    if found.choices:
        lines += ["", *(f"  {line}" for line in _table(found))]
        lines += _others(found)
        lines += _cost_lines(found)
        lines += _diff_lines(found)
    elif found.verdict == "unsafe":
        shown = found.under_sc if found.under_sc is not None and found.under_sc.bugs else found.strongest or found.found
        if shown is not None and shown.bugs:
            how = ", with the strongest orders" if shown is found.strongest else ""
            lines += ["", f"Under {shown.model}{how}:", *_bug_lines(shown)]
    if found.choices and found.found is not None and found.found.bugs:
        lines += ["", "As it is written:", *_bug_lines(found.found)]
    if (
        found.verdict == "unsafe"
        and found.liveness
        and found.found is not None
        and found.found.bugs[0].kind == "deadlock"
    ):
        lines += ["", "  a loop that waits for ever is a bug here: --no-liveness leaves that out"]
    return "\n".join(lines)


def _bug_lines(shown: Exploration) -> list[str]:
    """The first bug, without a token: `porf explore` gives one for the program as it is written."""
    return bug_lines(replace(shown.bugs[0], token=""), shown)


def _effort(found: Orders) -> str:
    parts = [f"{_counted(found.explored, 'choice')} of orders explored"]
    if found.known:
        parts.append(f"{found.known} told by kept executions")
    if found.checked:
        parts.append(f"{_counted(found.checked, 'execution')} checked with other orders")
    if found.executions and found.choices:
        parts.append(f"{_counted(found.executions, 'execution')} with the orders below")
    return f"{', '.join(parts)} ({found.seconds:.3f} s)"


def _place(site: Site) -> str:
    return f"{site.place.file}:{site.place.line}:{site.place.column}"


def _needed(strength: Strength, site: Site) -> str:
    return "not needed" if str(strength) == "none" else str(strength)


def _table(found: Orders) -> list[str]:
    rows = [("place", "what", "as written", "needed")]
    for site, strength in found.orders().items():
        same = strength == site.strength
        word = ("(kept)" if site in found.fixed else "the same") if same else _needed(strength, site)
        rows.append((_place(site), site.kind, str(site.strength), word))
    widths = [max(len(row[n]) for row in rows) for n in range(4)]
    left = text_width() - sum(widths) - 10
    out = []
    for n, row in enumerate(rows):
        source = "" if n == 0 or left < LEAST else line_of(found.space.domains[n - 1].site.place, "").strip()
        shown = source if len(source) <= left else source[: left - 1] + "…"
        out.append("  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=True)), shown]).rstrip())
    return out


def _others(found: Orders) -> list[str]:
    """The other choices that are minimal."""
    if not found.every:
        return []
    others = len(found.choices) - 1
    if not others:
        return ["", "  no other choice is minimal" if found.complete else "  others may be minimal, too"]
    lines = ["", f"  {_counted(others, 'other choice')} that {'is' if others == 1 else 'are'} minimal:"]
    first = found.orders(0)
    for number in range(1, min(len(found.choices), SHOWN)):
        parts = [
            f"{site.place.line} {_needed(strength, site)}"
            if _one_file(found)
            else f"{_place(site)} {_needed(strength, site)}"
            for site, strength in found.orders(number).items()
            if strength != first[site]
        ]
        cost = f" (cost {_cost(found, number)})" if found.costs else ""
        lines.append(f"    {number + 1}. instead{cost}: {'; '.join(parts)}")
    if len(found.choices) > SHOWN:
        lines.append(f"    and {len(found.choices) - SHOWN} more: --json has them all")
    if not found.complete:
        lines.append("    perhaps there are others")
    return lines


def _one_file(found: Orders) -> bool:
    return len({site.place.file for site in found.space.sites}) == 1


def _cost(found: Orders, number: int) -> str:
    return f"{found.space.cost(found.choices[number]):.0f}"


def _cost_lines(found: Orders) -> list[str]:
    if not found.costs:
        return []
    before = f"{found.space.cost(found.space.written):.0f}"
    return ["", f"  cost by {found.costs}: {_cost(found, 0)}, as written {before}"]


def _diff_lines(found: Orders) -> list[str]:
    patch = found.patch()
    diff = patch.diff()
    lines = ["", *diff.splitlines()] if diff else []
    if patch.left:
        wanted = found.orders()
        lines += ["", "  to be written by hand:"]
        lines += [f"    {_place(site)}: {site.strength} -> {_needed(wanted[site], site)}" for site in patch.left]
    return lines


def record(found: Orders) -> dict[str, Any]:
    """As one JSON object."""
    out: dict[str, Any] = {
        "programs": [program.name for program in found.programs],
        "model": found.model,
        "verdict": found.verdict,
        "choices": [_choice(found, number) for number in range(len(found.choices))],
        "complete": found.complete,
        "explored": found.explored,
        "known": found.known,
        "checked": found.checked,
        "executions": found.executions,
        "seconds": round(found.seconds, 6),
    }
    if found.choices:
        out["patch"] = found.patch().diff()
    if found.open:
        out["not_decided"] = [_place(site) for site in found.open]
    if found.reasons:
        out["undecided"] = list(found.reasons)
    if found.notes:
        out["notes"] = list(found.notes)
    for name, shown in (("bug", found.found), ("strongest", found.strongest), ("under_sc", found.under_sc)):
        if shown is not None and shown.bugs:
            out[name] = _bug(shown)
    return out


def _choice(found: Orders, number: int) -> dict[str, Any]:
    orders = [
        {
            "file": site.place.file,
            "line": site.place.line,
            "column": site.place.column,
            "what": site.kind,
            "written": str(site.strength),
            "needed": str(strength),
            "kept": site in found.fixed,
        }
        for site, strength in found.orders(number).items()
    ]
    return {"orders": orders, "cost": round(found.space.cost(found.choices[number]), 1)}


def _bug(shown: Exploration) -> dict[str, Any]:
    return {"model": shown.model, **shown.bugs[0].record(shown.file)}
