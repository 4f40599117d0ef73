"""The standard mappings of C's memory orders to machines: which instructions an access or a fence of C becomes.

The tables are the published ones: x86 and Power (leading sync) as in Batty et al. 2012, AArch64 with load-acquire,
store-release and atomic updates, RISC-V from its manual (Table A.6).
"""

from __future__ import annotations

from porf.execution import Op, Order
from porf.record import Record


class Becomes(Record):
    """Fences before it, the tags of the access, and fences after it. `control`: those after it follow a branch on what
    was read."""

    before: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    control: bool = False


class Mapping(Record, eq=False):
    """What C becomes on one machine; an order that is not here is like a relaxed one."""

    accesses: dict[tuple[Op, Order], Becomes]
    fences: dict[Order, tuple[str, ...]]
    paired: bool = False  # an update is a pair of exclusives

    def access(self, op: Op, order: Order) -> Becomes:
        return self.accesses.get((op, order), Becomes())


_READ, _WRITE, _UPDATE = Op.READ, Op.WRITE, Op.UPDATE
_ACQ, _REL, _BOTH, _SC = Order.ACQ, Order.REL, Order.ACQ_REL, Order.SC
_ISYNC = ("ISYNC",)
_BEFORE, _AFTER = ("Fence.rw.w",), ("Fence.r.rw",)

MAPPINGS = {
    "x86": Mapping(
        {(_WRITE, _SC): Becomes(after=("MFENCE",))},
        {_SC: ("MFENCE",)},
    ),
    "aarch64": Mapping(
        {
            (_READ, _ACQ): Becomes(tags=("A",)),
            (_READ, _SC): Becomes(tags=("A",)),
            (_WRITE, _REL): Becomes(tags=("L",)),
            (_WRITE, _SC): Becomes(tags=("L",)),
            (_UPDATE, _ACQ): Becomes(tags=("A",)),
            (_UPDATE, _REL): Becomes(tags=("L",)),
            (_UPDATE, _BOTH): Becomes(tags=("A", "L")),
            (_UPDATE, _SC): Becomes(tags=("A", "L")),
        },
        {_ACQ: ("DMB.LD",), _REL: ("DMB.SY",), _BOTH: ("DMB.SY",), _SC: ("DMB.SY",)},
    ),
    "ppc": Mapping(
        {
            (_READ, _ACQ): Becomes(after=_ISYNC, control=True),
            (_READ, _SC): Becomes(("SYNC",), after=_ISYNC, control=True),
            (_WRITE, _REL): Becomes(("LWSYNC",)),
            (_WRITE, _SC): Becomes(("SYNC",)),
            (_UPDATE, _ACQ): Becomes(after=_ISYNC, control=True),
            (_UPDATE, _REL): Becomes(("LWSYNC",)),
            (_UPDATE, _BOTH): Becomes(("LWSYNC",), after=_ISYNC, control=True),
            (_UPDATE, _SC): Becomes(("SYNC",), after=_ISYNC, control=True),
        },
        {_ACQ: ("LWSYNC",), _REL: ("LWSYNC",), _BOTH: ("LWSYNC",), _SC: ("SYNC",)},
        paired=True,
    ),
    "riscv": Mapping(
        {
            (_READ, _ACQ): Becomes(after=_AFTER),
            (_READ, _SC): Becomes(("Fence.rw.rw",), after=_AFTER),
            (_WRITE, _REL): Becomes(_BEFORE),
            (_WRITE, _SC): Becomes(_BEFORE),
            (_UPDATE, _ACQ): Becomes(tags=("Acq",)),
            (_UPDATE, _REL): Becomes(tags=("Rel",)),
            (_UPDATE, _BOTH): Becomes(tags=("AcqRel",)),
            (_UPDATE, _SC): Becomes(tags=("AcqRel",)),
        },
        {_ACQ: _AFTER, _REL: _BEFORE, _BOTH: ("Fence.tso",), _SC: ("Fence.rw.rw",)},
    ),
}
