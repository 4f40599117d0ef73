"""The program form: threads of register-machine code over shared objects. Front ends make it, and the core runs it.

A *register* holds a 64-bit signed integer, at first 0. An *operand* is a register (0, 1, ...) or a constant (~0, ~1,
...: a place in the template's pool). A *pointer* is an integer, `(object + 1) << 32 | offset in bytes`; 0 points
nowhere. An access has a width in bytes, and is aligned to it; every access of a place has one and the same width. Only
a plain access may be wider than the cells that its object declares: it is an access of each cell, one after the other.

A template is a function: every call of it has registers, and private memory, of its own. *Private memory* is plain
bytes that only its thread can reach: accesses of it are no events. Pointers to it must not be given to other threads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from porf.execution import Order

WIDTHS = (1, 2, 4, 8)
LOOP_COUNTERS = 4


class Opcode(IntEnum):
    """What an instruction does; in brackets the operands it uses. From LOAD on, it is an event that others can see."""

    MOVE = 0  # a := b
    BINARY = 1  # a := b kind c, wrapped to width (0: not wrapped)
    UNARY = 2  # a := kind b, wrapped to width (0: not wrapped)
    SELECT = 3  # a := c if b is not 0, else d
    JUMP = 4  # go to a
    JUMP_IF = 5  # go to a if b is not 0
    JUMP_UNLESS = 6  # go to a if b is 0
    HEAD = 7  # an iteration of loop a begins; its counters are the registers from b on (LOOP_COUNTERS of them)
    BACK = (
        8  # the iteration of loop a ends: go to c, its head, unless it changed nothing (then the thread waits forever);
        # kind: a Back, which says what is looked at
    )
    ASSUME = 9  # go on only if b is not 0; kind: an Assumption
    ASSERT = 10  # an error (message c) if b is 0
    FAIL = 11  # an error (message c)
    EXIT = 12  # the thread ends, wherever it is; its result is b
    CALL = 13  # a := what template c returns for the arguments in list d; kind: a Callee
    RETURN = 14  # the call ends, and its value is b; the thread ends if nobody called
    ADDRESS = 15  # a := pointer to the private object in slot c, d bytes long; kind: its Home
    ALLOCATE = 16  # a := pointer to a new object of b bytes that looks like layout c; kind: an Allocation
    SELF = 17  # a := the handle of this thread; kind: a Handle
    PRINT = 18  # message c is a printf format, list d its arguments; seen on replay only
    LOAD = 19  # a := [b]; kind: a Reading
    STORE = 20  # [b] := c
    RMW = 21  # a := [b]; [b] := a kind c, in one step
    CAS = 22  # a := [b]; if a = c then [b] := d, in one step; e := whether it was written
    FENCE = 23
    SPAWN = 24  # a := the handle of a new thread that runs template c with the arguments in list d; kind: a Callee
    JOIN = 25  # waits for the thread with handle b; a := its result
    LOCK = 26  # waits for the mutex [b] and takes it
    UNLOCK = 27  # gives the mutex [b] back
    TRYLOCK = 28  # a := whether the mutex [b] was free and is taken now
    FREE = 29  # the heap object that b points to is gone; 0 is none; kind: its Storage
    CHOOSE = 30  # a := one of the numbers from b to c, each in an execution of its own
    BARRIER = 31  # waits at the barrier [b], for as many threads as [b] says; a := 1 in one of them, 0 in the others


class Back(IntEnum):
    """What an iteration must leave as it was to be seen as one that changes nothing."""

    EXACT = 0  # all that others can see, and the registers that matter
    VISIBLE = 1  # only the former: the registers stand for what an earlier event could have read
    WITHOUT_ORDERS = 2  # VISIBLE in models that do not look at orders, else EXACT


class Assumption(IntEnum):
    """What ASSUME does while its condition does not hold."""

    REQUIRED = 0  # the execution does not count
    AWAITED = 1  # the thread waits, and waiting forever is a deadlock


class Callee(IntEnum):
    """How CALL and SPAWN name what they run."""

    TEMPLATE = 0  # by its number, c
    POINTER = 1  # it is the function that b points to


class Home(IntEnum):
    """Where the private object of an ADDRESS lies."""

    FRAME = 0  # in the present call
    THREAD = 1  # among the thread's locals


class Handle(IntEnum):
    """Whose handle SELF gives."""

    OWN = 0
    NEXT = 1  # that of the thread that it will start next


class Reading(IntEnum):
    """What a LOAD does with a place that nothing was written to."""

    USES = 0  # reports an error
    COPIES = 1  # goes on: a copy may have gaps


class Storage(IntEnum):
    """Where an object lies that FREE gives back."""

    HEAP = 0
    STACK = 1


class Allocation(IntEnum):
    """Where a new object comes from, and what it holds at first."""

    HEAP = 0  # nothing; must be given back, once
    ZEROED = 1  # zeros; likewise
    STACK = 2  # nothing


class Binary(IntEnum):
    """Arithmetic on two operands. Comparisons give 0 or 1; division rounds towards zero, as C does."""

    ADD = 0
    SUB = 1
    MUL = 2
    DIV = 3  # an error if c is 0
    MOD = 4  # likewise; the sign is that of b
    AND = 5
    OR = 6
    XOR = 7
    SHL = 8
    SHR = 9  # arithmetic
    USHR = 10  # logical
    EQ = 11
    NE = 12
    LT = 13
    LE = 14
    GT = 15
    GE = 16
    ULT = 17
    ULE = 18
    UGT = 19
    UGE = 20
    UDIV = 21
    UMOD = 22
    FLOORDIV = 23  # rounds down, as Python does
    FLOORMOD = 24  # the sign is that of c
    MIN = 25
    MAX = 26


class Unary(IntEnum):
    NEG = 0
    INVERT = 1  # every bit
    NOT = 2  # 1 if b is 0, else 0
    WRAP = 3  # b itself: for its wrapping
    CELL = 4  # the width of the cell that is declared at pointer b; -n if the next n bytes have none; 0 if unknown
    ROOM = 5  # how many bytes the shared object that b points into has from there on


class Modify(IntEnum):
    """What a read-modify-write makes of the old value a and the operand c."""

    EXCHANGE = 0
    ADD = 1
    SUB = 2
    AND = 3
    OR = 4
    XOR = 5
    NAND = 6
    MIN = 7
    MAX = 8


@dataclass(frozen=True)
class Place:
    """Where in a source file something stands; line and column count from 1."""

    line: int
    column: int = 1
    file: str = ""


@dataclass(frozen=True)
class Instruction:
    """One instruction; which fields mean something is said at its opcode. Memory is accessed with width and signed."""

    opcode: Opcode
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0
    kind: int = 0
    width: int = 0
    signed: bool = True
    order: Order = Order.NA
    failure: Order = Order.NA  # of a compare-exchange that fails
    weak: bool = False  # a compare-exchange that may fail for no reason
    place: Place | None = None


@dataclass(frozen=True)
class Object:
    """A piece of shared memory, or a function. `cells` are its places that have a name or an initial value.

    As a layout, it is what allocated objects look like: `size` is that of one element, and elements repeat; what the
    cells hold at first says the allocation.
    """

    name: str
    size: int  # bytes
    cells: tuple[Cell, ...] = ()
    place: Place | None = None
    template: int = -1  # of a function: what a call of a pointer to it runs


@dataclass(frozen=True)
class Cell:
    """A place in an object: what it is called, and what it holds at first (None: nothing; to read that is an error)."""

    offset: int
    width: int
    label: str
    initial: int | None = 0
    signed: bool = True


@dataclass(frozen=True)
class Template:
    """The code of a thread, or of a function. Its parameters are its first registers."""

    name: str
    code: tuple[Instruction, ...]
    registers: int
    private: int = 0  # slots of private memory: for each private object one, and one for each 8 bytes of it
    pool: tuple[int, ...] = ()  # constants
    parameters: int = 0
    argument_lists: tuple[tuple[int, ...], ...] = ()  # operands, for SPAWN
    live: tuple[tuple[int, ...], ...] = ()  # loop -> the registers whose values matter when an iteration begins
    names: dict[int, str] = field(default_factory=dict)  # register -> what its source calls it
    loops: tuple[Place | None, ...] = ()  # loop -> where it stands


@dataclass(frozen=True)
class Local:
    """An object that each thread has for itself, in its private memory; slots are counted as in a template."""

    slot: int
    size: int  # bytes
    words: tuple[int, ...]  # what it holds at first, 8 bytes each, little end first


@dataclass(frozen=True)
class Start:
    """A thread that runs from the beginning. Its handle is its position among them."""

    template: int
    arguments: tuple[int, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Watch:
    """A register of a starting thread whose last value is part of an execution's final state."""

    thread: int
    register: int
    label: str


@dataclass(frozen=True)
class Program:
    """A whole program. `watched` is what its final states consist of; empty if nobody asks for them."""

    name: str
    objects: tuple[Object, ...]
    templates: tuple[Template, ...]
    starts: tuple[Start, ...]
    messages: tuple[str, ...] = ()
    watched: tuple[Watch, ...] = ()
    source: str = ""  # the file it was read from, if any
    layouts: tuple[Object, ...] = ()
    locals: tuple[Local, ...] = ()
    notes: tuple[str, ...] = ()  # what people should be told of how their source was read

    def label(self, pointer: int) -> str:
        """What people call the place that a pointer points to."""
        index = ((pointer + 2**31) >> 32) - 1  # the nearest object: just before one is out of its bounds, too
        if not 0 <= index < len(self.objects):
            return f"{pointer:#x}"
        item, offset = self.objects[index], pointer - ((index + 1) << 32)
        for cell in item.cells:
            if cell.offset == offset:
                return cell.label
        if item.cells and item.cells[0].label == f"{item.name}[0]" and offset % item.cells[0].width == 0:
            return f"{item.name}[{offset // item.cells[0].width}]"
        return f"{item.name}{offset:+d}"


def pointer(obj: int, offset: int = 0) -> int:
    """The pointer to a byte of an object."""
    return (obj + 1) << 32 | offset
