"""An execution as a litmus test in C.

A dependency is made real by the usual idioms, which leave values and addresses as they are.
"""

from itertools import groupby

from porf.errors import UsageError
from porf.execution import ORDER_NAMES, Op, Order
from porf.formats.litmus.outline import Outline

_ORDERS = ("relaxed", "relaxed", "acquire", "release", "acq_rel", "seq_cst")
# What C has for each operation; another order is written as the strongest of these that it includes.
_IN_C = {
    Op.READ: (Order.NA, Order.RLX, Order.ACQ, Order.SC),
    Op.WRITE: (Order.NA, Order.RLX, Order.REL, Order.SC),
    Op.UPDATE: (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC),
    Op.FENCE: (Order.RLX, Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC),
}


def text(outline: Outline, name: str, title: str) -> str:
    """The whole test."""
    execution = outline.execution
    if execution.tag is not None or "lxsx" in execution.dependencies:
        raise UsageError("C has no words for what this history says of a machine", hint="keep it as a text file")
    return _Test(outline).text(name, title)


class _Test:
    def __init__(self, outline: Outline) -> None:
        self.outline, self.execution = outline, outline.execution
        self.registers: dict[int, str] = {}
        for rows in outline.threads():
            reading = [row for row in rows if self.execution.reads(row)]
            self.registers |= {row: f"r{at}" for at, row in enumerate(reading)}

    def text(self, name: str, title: str) -> str:
        outline = self.outline
        threads = [self._thread(number, rows) for number, rows in enumerate(outline.threads())]
        outcome = outline.outcome(self.registers)
        inits = " ".join(f"[{x}] = {value};" for x, value in zip(outline.locations, outline.initial, strict=True))
        head = f'C {name}\n"{title}"' if title else f"C {name}"
        return "\n\n".join([head, *outline.comments(), f"{{ {inits} }}", *threads, f"exists ({outcome})"]) + "\n"

    def _thread(self, number: int, rows: list[int]) -> str:
        """One function: accesses under the same control dependencies share an `if`."""
        g = self.execution
        used = dict.fromkeys(int(g.loc[row]) for row in rows if g.loc[row] >= 0)
        parameters = ", ".join(f"{self._type(loc)}* {self.outline.locations[loc]}" for loc in sorted(used))
        guarded = [row for row in rows if g.reads(row) and self.outline.depends("ctrl", row)]
        lines = [f"  int {self.registers[row]};" for row in guarded]
        for sources, group in groupby(rows, lambda row: tuple(self.outline.depends("ctrl", row))):
            indent = "    " if sources else "  "
            if sources:
                tests = " && ".join(f"{self.registers[s]} == {self.outline.read(s)}" for s in sources)
                lines.append(f"  if ({tests}) {{")
            for row in group:
                lines.append(indent + self._statement(row, declared=row in guarded))
            if sources:
                lines.append("  }")
        return "\n".join([f"P{number} ({parameters}) {{", *lines, "}"])

    def _type(self, loc: int) -> str:
        g = self.execution
        plain = {bool(order == Order.NA) for order in g.order[g.loc == loc].tolist()}
        if plain == {True, False}:
            self.outline.notes.append(f"plain and atomic accesses of {self.outline.locations[loc]}")
        return "int" if plain == {True} and not (g.op[g.loc == loc] == Op.UPDATE).any() else "atomic_int"

    def _statement(self, row: int, declared: bool) -> str:
        g = self.execution
        op = Op(int(g.op[row]))
        order = self._order(row, op)
        memory_order = f"memory_order_{_ORDERS[order]}"
        if op == Op.FENCE:
            return f"atomic_thread_fence({memory_order});"
        place = self.outline.locations[int(g.loc[row])] + self._nothing("addr", row)
        value = "" if op == Op.READ else f"{self.outline.stored[row]}{self._nothing('data', row)}"
        if op == Op.WRITE:
            plain = f"*{place} = {value};" if " " not in place else f"*({place}) = {value};"
            return plain if order == Order.NA else f"atomic_store_explicit({place}, {value}, {memory_order});"
        target = f"{'' if declared else 'int '}{self.registers[row]} = "
        if op == Op.UPDATE:
            return f"{target}atomic_exchange_explicit({place}, {value}, {memory_order});"
        if order == Order.NA:
            return f"{target}*{place};" if " " not in place else f"{target}*({place});"
        return f"{target}atomic_load_explicit({place}, {memory_order});"

    def _order(self, row: int, op: Op) -> Order:
        order = Order(int(self.execution.order[row]))
        if order in _IN_C[op]:
            return order
        weaker = Order.RLX
        if order == Order.ACQ_REL:
            weaker = Order.ACQ if op == Op.READ else Order.REL
        what = ("load", "store", "exchange", "fence")[op]
        name = self.execution.name(row)
        self.outline.notes.append(f"C has no {ORDER_NAMES[order]} {what}: {name} is {ORDER_NAMES[weaker]}")
        return weaker

    def _nothing(self, kind: str, row: int) -> str:
        """Terms that are 0 and mention the registers that the access depends on."""
        return "".join(f" + ({self.registers[s]} ^ {self.registers[s]})" for s in self.outline.depends(kind, row))
