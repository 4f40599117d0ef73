"""Inline assembly, as far as it is known: barriers for the compiler and hints for the processor, which do nothing here,
and fences of processors, which are fences of the language. Everything else is refused where an execution reaches it.
"""

import re

from porf._core import Order
from porf.programs.c import ir
from porf.programs.c.frame import Frame

# A fence counts as the weakest one of the language that orders what it orders, on its own machine.
FENCES = {
    # x86: loads are not reordered with what follows, nor stores with what comes before, except for stores and loads.
    r"mfence|lock (add|or)[bwlq]? \$+(0|0x0), ?-?\d*\(%+[er]sp\)": Order.SC,
    r"lfence": Order.ACQ,
    r"sfence": Order.REL,
    # ARM
    r"dmb( ish| sy| osh)?|dsb( ish| sy| osh)?": Order.SC,
    r"(dmb|dsb) (ishld|ld|oshld)": Order.ACQ,
    # POWER, MIPS
    r"sync( 0)?|hwsync": Order.SC,
    r"lwsync": Order.ACQ_REL,
    # RISC-V
    r"fence( i?o?rw, ?i?o?rw)?": Order.SC,
    r"fence i?r, ?i?o?rw": Order.ACQ,
    r"fence i?o?rw, ?o?w": Order.REL,
    r"fence\.tso": Order.ACQ_REL,
}
NOTHING = r"nop|pause|rep(; | )?nop|rep|yield|wfe|sevl?|isb( sy)?|hint #?\d+|or (1|2|27|31),\1,\1|"
CLOCK = r"rdtscp?"
HINT = "use the functions of <stdatomic.h>"


def inline_assembly(frame: Frame, i: ir.Instruction, text: str) -> None:
    body, constraints, *_ = *re.findall(r'"([^"]*)"', text), "", ""
    known = [order_of(statement) for statement in statements(body)]
    if any(order is None for order in known):
        raise frame.unsupported(f'inline assembly "{body}"', HINT)
    for order in known:
        if order is not None and order is not Order.NA:
            frame.code.fence(order)
    if not isinstance(i.type, ir.Void):
        frame.set(i.result, results(frame, i, body, constraints))


def statements(body: str) -> list[str]:
    """The statements, in one spelling: without comments, and with single blanks."""
    text = re.sub(r"\\0[Aa]|\\0[Dd]", "\n", body).replace("\\09", " ")
    text = re.sub(r"(?m)(?<!hint )#.*$|//.*$|/\*.*?\*/", "", text)
    text = re.sub(r"\block\s*[;\n]?\s*", "lock ", text)
    return [" ".join(part.split()).lower() for part in re.split(r"[;\n]", text)]


def order_of(statement: str) -> Order | None:
    """The order of a fence; that of plain accesses if it does nothing; None if it is not known."""
    if re.fullmatch(NOTHING, statement) or re.fullmatch(CLOCK, statement):
        return Order.NA
    return next((order for pattern, order in FENCES.items() if re.fullmatch(pattern, statement)), None)


def results(frame: Frame, i: ir.Instruction, body: str, constraints: str) -> tuple[int, ...]:
    """What does nothing gives back the operands that it is tied to: `asm("" : "+r"(x))`. Clocks stand still."""
    parts = constraints.split(",")
    outputs = [part for part in parts if part.startswith("=") and "*" not in part]
    given = [part for part in parts if not part.startswith("~") and part not in outputs]
    found: list[int] = []
    for index in range(len(outputs)):
        if str(index) in given:
            found += frame.all(i.operands[given.index(str(index))])
        elif re.search(CLOCK, body):
            found.append(frame.code.constant(0))
        else:
            raise frame.unsupported(f'inline assembly "{body}" with results', HINT)
    return tuple(found)
