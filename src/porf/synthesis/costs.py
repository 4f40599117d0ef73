"""What orders cost: by a table of this module, by a user's, or as many steps as they are from the weakest.

The tables are of the instructions to which C's orders are mapped (as in porf.formats.litmus.mapping): a plain load or
store counts 1, and other instructions what they take about as long as. They are meant to compare choices, not to
predict times.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from porf.errors import FormatError, UsageError, nearest
from porf.programs.form import Opcode
from porf.programs.sites import KINDS, WORDS, Site, Strength
from porf.synthesis.choices import weight

Cost = Callable[[Site, Strength], float]
_ORDERS = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")


def _table(load: str, store: str, update: str, fence: str) -> dict[tuple[str, str], float]:
    """Rows in the order of _ORDERS; - where C has no such order."""
    rows = {"load": load, "store": store, "update": update, "compare-exchange": update, "fence": fence}
    return {
        (kind, order): float(cost)
        for kind, row in rows.items()
        for order, cost in zip(_ORDERS, row.split(), strict=True)
        if cost != "-"
    }


ARCHITECTURES: Mapping[str, Mapping[tuple[str, str], float]] = {
    # mov; mov, xchg; lock; nothing, mfence
    "x86": _table("1 1 - - 1", "1 - 1 - 20", "20 20 20 20 20", "- 0 0 0 20"),
    # ldr, ldar; str, stlr; ldadd with a and l; dmb ishld, dmb ish
    "aarch64": _table("1 2 - - 3", "1 - 4 - 4", "10 12 12 14 14", "- 8 15 15 15"),
    # fence r,rw; fence rw,w; fence rw,rw
    "riscv": _table("1 9 - - 20", "1 - 9 - 20", "10 12 12 14 14", "- 8 8 12 20"),
    # ld; cmp; bc; isync; lwsync; sync
    "ppc": _table("1 8 - - 40", "1 - 20 - 40", "20 25 40 45 65", "- 20 20 20 40"),
}


def cost_of(said: str | None) -> Cost:
    """By the name of an architecture, by the path of a table, or by PATH:COLUMN of a table of several."""
    if said is None:
        return weight
    if said in ARCHITECTURES:
        return _by(ARCHITECTURES[said], said)
    path, _, column = said.rpartition(":")
    if path and Path(path).is_file():
        return _by(_read(path, column), path)
    if Path(said).is_file():
        return _by(_read(said, None), said)
    hint = nearest(said, ARCHITECTURES) or f"one of {', '.join(ARCHITECTURES)}, or the path of a table"
    raise UsageError(f"no costs are known of '{said}'", hint=hint)


def _by(table: Mapping[tuple[str, str], float], name: str) -> Cost:
    """Weights break ties, so that what is weaker is never dearer."""

    def one(kind: str, order: str) -> float:
        if order == "none":
            return 0.0
        if (kind, order) not in table:
            raise UsageError(f"{name} does not say what {order} costs for a {kind}", hint=f"a row: {kind} {order} COST")
        return table[kind, order]

    def cost(site: Site, strength: Strength) -> float:
        found = one(KINDS[site.opcode], WORDS[strength.order]) + weight(site, strength) / 1000
        return found + one("load", WORDS[strength.failure]) / 1000 if site.opcode is Opcode.CAS else found

    return cost


def _read(path: str, column: str | None) -> dict[tuple[str, str], float]:
    """A table: the first line has `kind order` and the names of architectures, each other line a cost for each."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(error.strerror or str(error), source=path) from None
    except UnicodeDecodeError:
        raise UsageError("not a text file", source=path) from None
    rows = [(n, line.split()) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    head = rows[0][1] if rows else []
    if head[:2] != ["kind", "order"] or len(head) < 3:
        raise FormatError(
            "the first line names the columns",
            source=path,
            line=rows[0][0] if rows else 1,
            text=lines[rows[0][0] - 1] if rows else "",
            hint="kind order x86 aarch64",
        )
    names = head[2:]
    if column is None and len(names) > 1:
        raise UsageError(f"{path} has costs of {', '.join(names)}", hint=f"--cost {path}:{names[0]}")
    if column is not None and column not in names:
        raise UsageError(f"{path} has no costs of '{column}'", hint=nearest(column, names) or ", ".join(names))
    at = 2 + (names.index(column) if column is not None else 0)
    found: dict[tuple[str, str], float] = {}
    for n, cells in rows[1:]:
        if len(cells) != len(head):
            raise FormatError(
                f"{len(cells)} columns, but the first line names {len(head)}", source=path, line=n, text=lines[n - 1]
            )
        kinds, orders = set(KINDS.values()), {*_ORDERS}
        if cells[0] not in kinds or cells[1] not in orders:
            hint = f"kinds are {', '.join(sorted(kinds))}; orders are {', '.join(_ORDERS)}"
            raise FormatError("an unknown kind or order", source=path, line=n, text=lines[n - 1], hint=hint)
        try:
            found[cells[0], cells[1]] = float(cells[at])
        except ValueError:
            raise FormatError(f"'{cells[at]}' is no cost", source=path, line=n, text=lines[n - 1]) from None
        if not 0 <= found[cells[0], cells[1]] < 1e9:
            raise FormatError(f"'{cells[at]}' is no cost", source=path, line=n, text=lines[n - 1])
    return found
