"""The compiled core's types: one section a family, bound in core/bindings/<family>.cpp."""

import enum
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from porf.execution import Int32, Int64, UInt8

# ---- relations: relation programs, evaluated and searched ----

class BaseRelation(IntEnum):
    ID = ...
    PO = ...
    RF = ...
    MO = ...
    FR = ...
    LOC = ...
    INT = ...
    EXT = ...
    RMW = ...
    ADDR = ...
    DATA = ...
    CTRL = ...

class BaseSet(IntEnum):
    """NA to SC: events of exactly this order; GE_NA to GE_SC: of this order or more."""

    ALL = ...
    READS = ...
    WRITES = ...
    FENCES = ...
    UPDATES = ...
    INITIAL_WRITES = ...
    NA = ...
    GE_NA = ...
    RLX = ...
    GE_RLX = ...
    ACQ = ...
    GE_ACQ = ...
    REL = ...
    GE_REL = ...
    ACQ_REL = ...
    GE_ACQ_REL = ...
    SC = ...
    GE_SC = ...

class RelationOpcode(IntEnum):
    BASE_RELATION = ...
    BASE_SET = ...
    EMPTY = ...
    UNIVERSE = ...
    UNION = ...
    INTERSECTION = ...
    DIFFERENCE = ...
    COMPLEMENT = ...
    COMPOSE = ...
    INVERSE = ...
    PLUS = ...
    STAR = ...
    OPTIONAL = ...
    IDENTITY = ...
    PRODUCT = ...
    DOMAIN = ...
    RANGE = ...
    VARIABLE = ...
    UPDATE = ...
    LOOP = ...
    MEMBER = ...
    GATHER = ...

class Check(IntEnum):
    """What an axiom forbids of a relation: cycles, loops, or pairs."""

    ACYCLIC = ...
    IRREFLEXIVE = ...
    EMPTY = ...

class RelationProgram:
    """A model: rows of (op, a, b, c, kind), and of (register, check, negated, flagged, monotone in mo)."""

    def __init__(self, code: Int32, axioms: Int32) -> None: ...
    def letters(self) -> list[int]:
        """How many letters the automata of its axioms have by which explorations check it; none if they cannot."""
    def __getstate__(self) -> tuple[list[int], list[int]]: ...
    def __setstate__(self, rows: tuple[list[int], list[int]]) -> None: ...

class Evaluator:
    """A relation program on one execution. Events cross the border as references."""

    def __init__(
        self,
        program: RelationProgram,
        thread: Int32,
        op: UInt8,
        loc: Int32,
        order: UInt8,
        rf: Int32,
        threads: int,
        locations: int,
        dependencies: Sequence[Int32],
        two_events: bool,
    ) -> None: ...
    def order(self, before: Int32, after: Int32) -> None:
        """Sets the modification order and evaluates everything under it."""
    def broken(self) -> list[int]: ...
    def breaking(self, axiom: int) -> list[tuple[int, int, int, bool]]:
        """(source, base relation, target, backwards) of the shortest cycle or pair that breaks an axiom."""
    def pairs(self, reg: int) -> list[tuple[int, int]]: ...
    def matrix(self, reg: int) -> tuple[int, npt.NDArray[np.uint64]]:
        """How many words a row has, and the rows: bit j of row i is the pair of nodes i and j."""
    def members(self, reg: int) -> list[int]: ...
    def search(
        self, seconds: float, steps: int, bytes: int, progress: Callable[[int], object] | None
    ) -> tuple[int, Int32, Int64, int, Int32, Int32, Int32, Int32, int]:
        """Verdict (0 consistent, 1 inconsistent, 2 undecided), writes, start, root proof, axioms of proofs,
        before, after and refutation of steps, and how many steps were spent.
        """

# ---- end of relations ----

_UInt32 = npt.NDArray[np.uint32]

# --- formats (core/bindings/formats.cpp) ---
_Fault = tuple[str, int, int, int, int]
_Packed = tuple[bytes, Int64]
_Pairs = list[tuple[Int32, Int32]]

def parse_text(data: bytes) -> dict[str, Any]: ...
def parse_jsonl(data: bytes) -> dict[str, Any]: ...
def parse_line(line: bytes) -> tuple[Any, ...] | None: ...
def resolve_names(
    thread: Int32,
    op: UInt8,
    loc: Int32,
    read_value: Int64,
    written_value: Int64,
    init_value: Int64,
    rf_symbol: Int32,
    defined_at: Int32,
    mentions: _Pairs,
) -> tuple[_Fault | None, Int32, tuple[Int32, Int32, Int32]]: ...
def writers_by_value(
    thread: Int32, op: UInt8, loc: Int32, read_value: Int64, written_value: Int64, init_value: Int64
) -> Int32: ...
def check_npz(
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    read_value: Int64,
    written_value: Int64,
    init_value: Int64,
    threads: int,
) -> _Fault | None: ...
def check_dependency(thread: Int32, sources: Int32, targets: Int32) -> _Fault | None: ...
def write_lines(
    json: bool,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    read_value: Int64,
    written_value: Int64,
    thread_names: _Packed,
    loc_names: _Packed,
    id_names: _Packed,
    id_rows: Int32,
    dependencies: _Pairs,
) -> bytes: ...

# --- generate (core/bindings/generate.cpp) ---
def number_by_appearance(labels: Int32, count: int) -> Int32: ...
def run_sequential(thread: Int32, op: UInt8, loc: Int32, threads: int, locations: int) -> Int32: ...
def run_release_acquire(
    thread: Int32, op: UInt8, loc: Int32, threads: int, locations: int, random: _UInt32, window: int
) -> Int32: ...
def run_coherence(
    protocol: int,
    fault: int,
    fault_rate: float,
    store_buffers: bool,
    cpus: int,
    operations: int,
    lines: int,
    capacity: int,
    reads: float,
    seed: int,
) -> tuple[Int32, UInt8, Int32, Int32]: ...

# ---- coherence: the kernels of the C11 family (core/bindings/coherence.cpp) ----

def check_coherence(
    model: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...
def happens_before_path(
    sync: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    source: int,
    target: int,
) -> tuple[Int32, UInt8]: ...

class Monitor:
    def feed(self, thread: int, op: int, loc: int, order: int, rf: int) -> int: ...
    def may_read(self, thread: int, loc: int, update: bool) -> Int32: ...

def make_monitor(model: int) -> Monitor: ...

# ---- interleaving: SC and TSO (core/bindings/interleaving.cpp) ----

def check_global_order(
    memory: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    saturate: bool = True,
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...
def row_order_is_sequential(
    thread: Int32, op: UInt8, loc: Int32, order: UInt8, rf: Int32, threads: int, locations: int
) -> bool: ...

# ---- causal: the criteria of Zennou et al. 2019 on plain reads and writes (core/bindings/causal.cpp) ----

def check_causal(
    criterion: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...
def partial_store_order(
    criterion: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...

# ---- store order: SC, TSO, PSO, RMO over sets of writes (core/bindings/store_order.cpp) ----

TABLE_WRITES: int  # so many writes at most have a table of all their sets

def decide_store_order(
    model: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    dependency_from: Int32,
    dependency_to: Int32,
    forced: bool,
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...
def forced_order(
    model: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    dependency_from: Int32,
    dependency_to: Int32,
) -> tuple[Int32, Int32]: ...
def decide_acyclic_graphs(
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    edges_from: list[Int32],
    edges_to: list[Int32],
    ordered: list[bool],
    forced: bool,
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> dict[str, Any]: ...

# ---- stress: random programs on the cores at hand (core/bindings/stress.cpp) ----

def usable_cores() -> int: ...

class Harness:
    def __init__(self, threads: int) -> None: ...
    def run(
        self, ops: int, locations: int, mix: tuple[float, float, float, float], burst: int, packed: bool, seed: int
    ) -> dict[str, Any]: ...

# ---- verify: the independent checker of witnesses (core/bindings/verify.cpp) ----

def check_witness(
    axioms: int,
    thread: Int32,
    op: UInt8,
    loc: Int32,
    order: UInt8,
    rf: Int32,
    threads: int,
    locations: int,
    mo: Int32,
    start: Int64,
) -> tuple[int, int]: ...
def satisfies_causal(
    criterion: int, thread: Int32, op: UInt8, loc: Int32, order: UInt8, rf: Int32, threads: int, locations: int
) -> bool: ...
def is_interleaving(
    thread: Int32, op: UInt8, loc: Int32, order: UInt8, rf: Int32, threads: int, locations: int, rows: Int32
) -> bool: ...

# ---- automata: guarded automata, and inclusion of their words (core/bindings/automata.cpp) ----

def partition(automaton: GuardedAutomaton, forwards: bool) -> Int32:
    """A number for every state, the same for states with the same ways on (or, backwards, the same ways to them)."""

class GuardedAutomaton:
    """Transitions (source, guard, letter, target); guards and final sets are sets of atoms, a row of words each."""

    states: int
    atoms: int
    def __init__(
        self,
        states: int,
        atoms: int,
        initial: Int32,
        source: Int32,
        letter: Int32,
        target: Int32,
        guard: npt.NDArray[np.uint64],
        final: npt.NDArray[np.uint64],
    ) -> None: ...

def include(
    left: GuardedAutomaton,
    right: Sequence[GuardedAutomaton],
    rotate: Sequence[bool],
    loops: bool,
    letters: int,
    below: UInt8,
    domain: npt.NDArray[np.uint64],
    range: npt.NDArray[np.uint64],
    seconds: float = 0.0,
    steps: int = 0,
    bytes: int = 0,
    progress: Callable[[int], object] | None = None,
) -> tuple[int, Int32, Int32, int, int]:
    """The answer (0 holds, 1 fails, 2 cut by the budget), the atoms and letters of a shortest word that shows that it
    fails, the pairs that were looked at, and the limit that cut it."""

# ---- explore: the executions of programs ----

class Opcode(enum.IntEnum):
    """What an instruction does."""

    MOVE = 0
    """{a} := {b}"""

    BINARY = 1
    """{a} := {b} {kind} {c}"""

    UNARY = 2
    """{a} := {kind} {b}"""

    SELECT = 3
    """{a} := {b} ? {c} : {d}"""

    JUMP = 4
    """go to {a}"""

    JUMP_IF = 5
    """go to {a} if {b}"""

    JUMP_UNLESS = 6
    """go to {a} unless {b}"""

    HEAD = 7
    """loop {a}, counters {b}"""

    BACK = 8
    """loop {a}, counters {b}, again from {c} ({kind})"""

    ASSUME = 9
    """assume {b} ({kind})"""

    ASSERT = 10
    """assert {b}, or else message {c}"""

    FAIL = 11
    """fail with message {c}"""

    EXIT = 12
    """exit with {b}"""

    CALL = 13
    """{a} := call {kind} {c} {b}, list {d}"""

    RETURN = 14
    """return {b}"""

    ADDRESS = 15
    """{a} := address of slot {c} ({kind}), {d} bytes"""

    ALLOCATE = 16
    """{a} := new object of {b} bytes, layout {c} ({kind})"""

    SELF = 17
    """{a} := thread ({kind})"""

    PRINT = 18
    """print message {c}, list {d}"""

    LOAD = 19
    """{a} := [{b}] ({kind})"""

    STORE = 20
    """[{b}] := {c}"""

    RMW = 21
    """{a} := [{b}], [{b}] := {a} {kind} {c}"""

    CAS = 22
    """{a} := [{b}], {e} := {a} == {c}, [{b}] := {d} if {e}"""

    FENCE = 23
    """fence"""

    SPAWN = 24
    """{a} := spawn {kind} {c} {b}, list {d}"""

    JOIN = 25
    """{a} := join {b}"""

    LOCK = 26
    """lock [{b}]"""

    UNLOCK = 27
    """unlock [{b}]"""

    TRYLOCK = 28
    """{a} := trylock [{b}]"""

    FREE = 29
    """free {b} ({kind})"""

    CHOOSE = 30
    """{a} := one of {b} to {c}"""

    BARRIER = 31
    """{a} := barrier [{b}]"""

class Binary(enum.IntEnum):
    """Arithmetic on two operands."""

    ADD = 0
    """b + c"""

    SUB = 1
    """b - c"""

    MUL = 2
    """b * c"""

    DIV = 3
    """b / c, towards zero, as in C"""

    MOD = 4
    """the rest of DIV; its sign is that of b"""

    AND = 5
    """b & c"""

    OR = 6
    """b | c"""

    XOR = 7
    """b ^ c"""

    SHL = 8
    """b << c"""

    SHR = 9
    """b >> c, arithmetic"""

    USHR = 10
    """b >> c, logical"""

    EQ = 11
    """b == c"""

    NE = 12
    """b != c"""

    LT = 13
    """b < c"""

    LE = 14
    """b <= c"""

    GT = 15
    """b > c"""

    GE = 16
    """b >= c"""

    ULT = 17
    """b < c, unsigned"""

    ULE = 18
    """b <= c, unsigned"""

    UGT = 19
    """b > c, unsigned"""

    UGE = 20
    """b >= c, unsigned"""

    UDIV = 21
    """b / c, unsigned"""

    UMOD = 22
    """the rest of UDIV"""

    FLOORDIV = 23
    """b / c, down, as in Python"""

    FLOORMOD = 24
    """the rest of FLOORDIV; its sign is that of c"""

    MIN = 25
    """the smaller"""

    MAX = 26
    """the larger"""

class Unary(enum.IntEnum):
    """Arithmetic on one operand."""

    NEG = 0
    """-b"""

    INVERT = 1
    """every bit"""

    NOT = 2
    """1 if b is 0, else 0"""

    WRAP = 3
    """b itself: for its wrapping"""

    CELL = 4
    """
    the width of the cell declared at pointer b; -n if the next n bytes have none; 0 if unknown
    """

    ROOM = 5
    """how many bytes the shared object that b points into has from there on"""

class Modify(enum.IntEnum):
    """What a read-modify-write makes of the old value a and the operand c."""

    EXCHANGE = 0
    """c"""

    ADD = 1
    """a + c"""

    SUB = 2
    """a - c"""

    AND = 3
    """a & c"""

    OR = 4
    """a | c"""

    XOR = 5
    """a ^ c"""

    NAND = 6
    """~(a & c)"""

    MIN = 7
    """the smaller"""

    MAX = 8
    """the larger"""

class Back(enum.IntEnum):
    """
    What an iteration must leave as it was to be seen as one that changes nothing.
    """

    EXACT = 0
    """all that others can see, and the registers that matter"""

    VISIBLE = 1
    """
    only what others can see: registers stand for what an earlier event could have read
    """

    WITHOUT_ORDERS = 2
    """VISIBLE in models that do not look at orders, else EXACT"""

class Assumption(enum.IntEnum):
    """What becomes of a thread whose assumption does not hold."""

    REQUIRED = 0
    """the execution does not count"""

    AWAITED = 1
    """the thread waits, and waiting forever is a deadlock"""

class Callee(enum.IntEnum):
    """How CALL and SPAWN name what they run."""

    TEMPLATE = 0
    """by its number, c; b means nothing"""

    POINTER = 1
    """it is the function that b points to"""

class Home(enum.IntEnum):
    """Where the private object of an ADDRESS lies."""

    FRAME = 0
    """in the present call"""

    THREAD = 1
    """among the thread's locals"""

class Handle(enum.IntEnum):
    """Whose handle SELF gives."""

    OWN = 0
    """that of this thread"""

    NEXT = 1
    """that of the thread that it will start next"""

class Reading(enum.IntEnum):
    """What a LOAD does at a place that nothing was written to."""

    USES = 0
    """it is an error"""

    COPIES = 1
    """it goes on: what is not set may be copied"""

class Storage(enum.IntEnum):
    """Where an object lies that FREE gives back."""

    HEAP = 0
    """on the heap"""

    STACK = 1
    """on a stack"""

class Allocation(enum.IntEnum):
    """Where a new object comes from, and what it holds at first."""

    HEAP = 0
    """the heap, nothing; it must be freed, once"""

    ZEROED = 1
    """the heap, zeros; it must be freed, once"""

    STACK = 2
    """the stack, nothing"""

class Onward(enum.Enum):
    """Where a thread goes on after an instruction."""

    NEXT = 0

    JUMP = 1

    BRANCH = 2

    END = 3

class Effect(enum.Enum):
    """Who notices an instruction."""

    PURE = 0

    LOCAL = 1

    EVENT = 2

class Sort(enum.Enum):
    """What is special about an operation on two operands."""

    PLAIN = 0

    BITWISE = 1

    COMPARISON = 2

    DIVISION = 3

class Facts:
    """
    What there is to know of an instruction. Fields are named by their letters.
    """

    @property
    def text(self) -> str: ...
    @property
    def effect(self) -> Effect: ...
    @property
    def reads(self) -> str: ...
    @property
    def sets(self) -> str: ...
    @property
    def list(self) -> str: ...
    @property
    def counters(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def onward(self) -> Onward: ...

def instruction_facts(opcode: Opcode) -> Facts: ...
def kind_of(opcode: Opcode) -> type[enum.IntEnum] | None:
    """The enumeration of an instruction's kind."""

def sort_of(binary: Binary) -> Sort: ...

LOOP_COUNTERS: int = 4

def compute_binary(kind: Binary, b: int, c: int) -> int | None: ...
def compute_unary(kind: Unary, b: int) -> int | None: ...
def wrap(value: int, width: int, is_signed: bool) -> int:
    """The number that so many bytes hold of a value."""

def pointer(object: int, offset: int = 0) -> int:
    """The pointer to a byte of an object."""

def object_of(pointer: int) -> int:
    """The object that a pointer points into; below 0 if it is none."""

def nearest_object(pointer: int) -> int:
    """
    The object that a pointer is in or next to: just before an object is out of its bounds, too.
    """

def offset_of(pointer: int) -> int:
    """The byte of its object that a pointer points to."""

def is_private(pointer: int) -> bool:
    """Whether a pointer is one to private memory."""

class Instruction:
    def __init__(
        self,
        opcode: Opcode,
        kind: int,
        width: int,
        signed: bool,
        order: int,
        failure: int,
        weak: bool,
        a: int,
        b: int,
        c: int,
        d: int,
        e: int,
    ) -> None: ...

class Loop:
    def __init__(self, live: Sequence[int], saved: int) -> None: ...

class Template:
    def __init__(
        self,
        entry: int,
        registers: int,
        private_slots: int,
        parameters: int,
        pool: Sequence[int],
        argument_lists: Sequence[Sequence[int]],
        loops: Sequence[Loop],
    ) -> None: ...

class Cell:
    def __init__(self, offset: int, width: int, initialised: bool, initial: int) -> None: ...

class Object:
    def __init__(self, size: int, template: int, cells: Sequence[Cell]) -> None: ...

class Local:
    def __init__(self, slot: int, size: int, words: Sequence[int]) -> None: ...

class Start:
    def __init__(self, template: int, arguments: Sequence[int]) -> None: ...

class Watch:
    def __init__(self, thread: int, register: int) -> None: ...

class Program:
    """A program as the explorer runs it; made by porf.programs.lower."""

    def __init__(
        self,
        code: Sequence[Instruction],
        templates: Sequence[Template],
        objects: Sequence[Object],
        layouts: Sequence[Object],
        locals: Sequence[Local],
        starts: Sequence[Start],
        watched: Sequence[Watch],
    ) -> None: ...

class Engine(enum.Enum):
    """What decides which executions are consistent."""

    RELAXED = 0

    RC20 = 1

    RA = 2

    WRA = 3

    SRA = 4

    SC = 5

    TSO = 6

    PSO = 7

    AXIOMS = 8

    RC11_WITHOUT_SC = 9

class EngineFacts:
    @property
    def family(self) -> str: ...
    @property
    def orders(self) -> bool:
        """Whether the orders of accesses make a difference."""

def engine_facts(engine: Engine) -> EngineFacts: ...

class Strategy(enum.Enum):
    TRUST = 0
    """Keeps one graph, and needs memory for nothing else."""

    TRACER = 1
    """Keeps schedules that are still to be run."""

class BugKind(enum.Enum):
    """What can be wrong with a program."""

    ASSERTION = 1

    RACE = 2

    DEADLOCK = 3

    UNINITIALISED = 4

    NOWHERE = 5

    OUT_OF_BOUNDS = 6

    MISALIGNED = 7

    MIXED_WIDTH = 8

    NOT_HELD = 9

    DIVISION = 10

    NO_THREAD = 11

    ENDLESS = 12

    DANGLING = 13

    TWICE_FREED = 14

    NOT_HEAP = 15

    NO_FUNCTION = 16

    LEAK = 17

    CROWDED = 18

    NO_BARRIER = 19

    UNKNOWN = 20

    SIZE = 21

    CONDITION = 22

class Blame(enum.Enum):
    """
    Who is to blame for a bug, and so which part of the execution shows it.
    """

    THREAD = 0

    TWO_EVENTS = 1

    EXECUTION = 2

    NOBODY = 3

    UNSUPPORTED = 4

class BugFacts:
    @property
    def name(self) -> str: ...
    @property
    def blame(self) -> Blame: ...
    @property
    def message(self) -> str: ...
    @property
    def end(self) -> str: ...

def bug_facts(kind: BugKind) -> BugFacts: ...

class EventKind(enum.IntEnum):
    """What an event of an explored graph does."""

    READ = 0

    WRITE = 1

    UPDATE = 2

    FENCE = 3

    SPAWN = 4

    JOIN = 5

    FREE = 6

    CHOOSE = 7

    BARRIER = 8

class Role(enum.Enum):
    """What an event does to a mutex."""

    NONE = 0

    LOCK = 1

    TRYLOCK = 2

    UNLOCK = 3

class Limit(enum.Enum):
    """Which limit ended a computation."""

    NONE = 0

    STEPS = 1

    TIME = 2

    MEMORY = 3

    STOPPED = 4

class Task:
    def __init__(self, path: Sequence[int], floor: int) -> None: ...
    @property
    def path(self) -> list[int]: ...
    @path.setter
    def path(self, arg: Sequence[int], /) -> None: ...
    @property
    def floor(self) -> int: ...
    @floor.setter
    def floor(self, arg: int, /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...
    def __lt__(self, other: Task) -> bool: ...

class ExploredEvent:
    @property
    def thread(self) -> int: ...
    @thread.setter
    def thread(self, arg: int, /) -> None: ...
    @property
    def index(self) -> int: ...
    @index.setter
    def index(self, arg: int, /) -> None: ...
    @property
    def kind(self) -> EventKind: ...
    @kind.setter
    def kind(self, arg: EventKind, /) -> None: ...
    @property
    def role(self) -> Role: ...
    @role.setter
    def role(self, arg: Role, /) -> None: ...
    @property
    def pointer(self) -> int: ...
    @pointer.setter
    def pointer(self, arg: int, /) -> None: ...
    @property
    def order(self) -> int: ...
    @order.setter
    def order(self, arg: int, /) -> None: ...
    @property
    def source(self) -> int: ...
    @source.setter
    def source(self, arg: int, /) -> None: ...
    @property
    def read(self) -> int: ...
    @read.setter
    def read(self, arg: int, /) -> None: ...
    @property
    def written(self) -> int: ...
    @written.setter
    def written(self, arg: int, /) -> None: ...
    @property
    def pc(self) -> int: ...
    @pc.setter
    def pc(self, arg: int, /) -> None: ...
    @property
    def other(self) -> int: ...
    @other.setter
    def other(self, arg: int, /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...
    @property
    def access(self) -> bool:
        """An access or a fence."""

    @property
    def reads(self) -> bool: ...
    @property
    def writes(self) -> bool: ...
    @property
    def waits(self) -> bool:
        """A lock that never got its mutex."""

class Allocated:
    @property
    def thread(self) -> int: ...
    @thread.setter
    def thread(self, arg: int, /) -> None: ...
    @property
    def number(self) -> int: ...
    @number.setter
    def number(self, arg: int, /) -> None: ...
    @property
    def layout(self) -> int: ...
    @layout.setter
    def layout(self, arg: int, /) -> None: ...
    @property
    def size(self) -> int: ...
    @size.setter
    def size(self, arg: int, /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...

class Printed:
    @property
    def event(self) -> int: ...
    @event.setter
    def event(self, arg: int, /) -> None: ...
    @property
    def thread(self) -> int: ...
    @thread.setter
    def thread(self, arg: int, /) -> None: ...
    @property
    def pc(self) -> int: ...
    @pc.setter
    def pc(self, arg: int, /) -> None: ...
    @property
    def values(self) -> list[int]: ...
    @values.setter
    def values(self, arg: Sequence[int], /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...

class BugReport:
    def __init__(self) -> None: ...
    @property
    def kind(self) -> BugKind: ...
    @kind.setter
    def kind(self, arg: BugKind, /) -> None: ...
    @property
    def event(self) -> int: ...
    @event.setter
    def event(self, arg: int, /) -> None: ...
    @property
    def thread(self) -> int: ...
    @thread.setter
    def thread(self, arg: int, /) -> None: ...
    @property
    def pc(self) -> int: ...
    @pc.setter
    def pc(self, arg: int, /) -> None: ...
    @property
    def other(self) -> int: ...
    @other.setter
    def other(self, arg: int, /) -> None: ...
    @property
    def other_pc(self) -> int: ...
    @other_pc.setter
    def other_pc(self, arg: int, /) -> None: ...
    @property
    def detail(self) -> int: ...
    @detail.setter
    def detail(self, arg: int, /) -> None: ...
    @property
    def path(self) -> list[int]: ...
    @path.setter
    def path(self, arg: Sequence[int], /) -> None: ...
    @property
    def events(self) -> list[ExploredEvent]: ...
    @events.setter
    def events(self, arg: Sequence[ExploredEvent], /) -> None: ...
    @property
    def objects(self) -> list[Allocated]: ...
    @objects.setter
    def objects(self, arg: Sequence[Allocated], /) -> None: ...
    @property
    def printed(self) -> list[Printed]: ...
    @printed.setter
    def printed(self, arg: Sequence[Printed], /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...

class FinalState:
    def __init__(self, values: Sequence[int], executions: int, path: Sequence[int]) -> None: ...
    @property
    def values(self) -> list[int]: ...
    @values.setter
    def values(self, arg: Sequence[int], /) -> None: ...
    @property
    def executions(self) -> int: ...
    @executions.setter
    def executions(self, arg: int, /) -> None: ...
    @property
    def path(self) -> list[int]: ...
    @path.setter
    def path(self, arg: Sequence[int], /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...

class Findings:
    def __init__(self) -> None: ...
    @property
    def complete(self) -> int: ...
    @complete.setter
    def complete(self, arg: int, /) -> None: ...
    @property
    def blocked(self) -> int: ...
    @blocked.setter
    def blocked(self, arg: int, /) -> None: ...
    @property
    def cut(self) -> int: ...
    @cut.setter
    def cut(self, arg: int, /) -> None: ...
    @property
    def erroneous(self) -> int: ...
    @erroneous.setter
    def erroneous(self, arg: int, /) -> None: ...
    @property
    def dead(self) -> int: ...
    @dead.setter
    def dead(self, arg: int, /) -> None: ...
    @property
    def graphs(self) -> int: ...
    @graphs.setter
    def graphs(self, arg: int, /) -> None: ...
    @property
    def spins(self) -> int: ...
    @spins.setter
    def spins(self, arg: int, /) -> None: ...
    @property
    def explored(self) -> float: ...
    @explored.setter
    def explored(self, arg: float, /) -> None: ...
    @property
    def states(self) -> list[FinalState]: ...
    @states.setter
    def states(self, arg: Sequence[FinalState], /) -> None: ...
    @property
    def bugs(self) -> list[BugReport]: ...
    @bugs.setter
    def bugs(self, arg: Sequence[BugReport], /) -> None: ...
    @property
    def cut_loops(self) -> set[int]: ...
    @cut_loops.setter
    def cut_loops(self, arg: set[int], /) -> None: ...
    @property
    def spin_loops(self) -> set[int]: ...
    @spin_loops.setter
    def spin_loops(self, arg: set[int], /) -> None: ...
    @property
    def executions(self) -> list[list[ExploredEvent]]: ...
    @executions.setter
    def executions(self, arg: Sequence[Sequence[ExploredEvent]], /) -> None: ...
    @property
    def stuck(self) -> list[list[ExploredEvent]]: ...
    @stuck.setter
    def stuck(self, arg: Sequence[Sequence[ExploredEvent]], /) -> None: ...
    @property
    def orders(self) -> list[list[int]]: ...
    @orders.setter
    def orders(self, arg: Sequence[Sequence[int]], /) -> None: ...
    @property
    def fingerprints(self) -> list[tuple[int, int]]: ...
    @fingerprints.setter
    def fingerprints(self, arg: Sequence[tuple[int, int]], /) -> None: ...
    def duplicates(self) -> int: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...
    def add(self, found: Findings) -> None:
        """Takes up what another part of the exploration has found."""

class ExploreResult:
    @property
    def findings(self) -> Findings: ...
    @findings.setter
    def findings(self, arg: Findings, /) -> None: ...
    @property
    def remaining(self) -> list[Task]: ...
    @remaining.setter
    def remaining(self, arg: Sequence[Task], /) -> None: ...
    @property
    def limit(self) -> Limit: ...
    @limit.setter
    def limit(self, arg: Limit, /) -> None: ...
    @property
    def too_large(self) -> bool: ...
    @too_large.setter
    def too_large(self, arg: bool, /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...

class ExploreSettings:
    def __init__(self) -> None: ...
    @property
    def engine(self) -> Engine: ...
    @engine.setter
    def engine(self, arg: Engine, /) -> None: ...
    @property
    def file(self) -> RelationProgram: ...
    @file.setter
    def file(self, arg: RelationProgram, /) -> None: ...
    @property
    def two_events(self) -> bool: ...
    @two_events.setter
    def two_events(self, arg: bool, /) -> None: ...
    @property
    def suspect(self) -> bool: ...
    @suspect.setter
    def suspect(self, arg: bool, /) -> None: ...
    @property
    def strategy(self) -> Strategy: ...
    @strategy.setter
    def strategy(self, arg: Strategy, /) -> None: ...
    @property
    def unroll(self) -> int: ...
    @unroll.setter
    def unroll(self, arg: int, /) -> None: ...
    @property
    def spurious(self) -> bool: ...
    @spurious.setter
    def spurious(self, arg: bool, /) -> None: ...
    @property
    def keep_going(self) -> bool: ...
    @keep_going.setter
    def keep_going(self, arg: bool, /) -> None: ...
    @property
    def self_check(self) -> bool: ...
    @self_check.setter
    def self_check(self, arg: bool, /) -> None: ...
    @property
    def collect(self) -> bool: ...
    @collect.setter
    def collect(self, arg: bool, /) -> None: ...
    @property
    def states(self) -> bool: ...
    @states.setter
    def states(self, arg: bool, /) -> None: ...
    @property
    def ordered(self) -> bool: ...
    @ordered.setter
    def ordered(self, arg: bool, /) -> None: ...
    @property
    def stop_at_cut(self) -> bool: ...
    @stop_at_cut.setter
    def stop_at_cut(self, arg: bool, /) -> None: ...
    @property
    def leaks(self) -> bool: ...
    @leaks.setter
    def leaks(self, arg: bool, /) -> None: ...
    @property
    def liveness(self) -> bool: ...
    @liveness.setter
    def liveness(self, arg: bool, /) -> None: ...
    def __getstate__(self) -> tuple[object, ...]: ...
    def __setstate__(self, arg: tuple[object, ...], /) -> None: ...

class NoSuchPath(Exception):  # noqa: N818
    pass

def explore(
    program: Program,
    settings: ExploreSettings,
    tasks: Sequence[Task],
    *,
    limit: int,
    seconds: float,
    bytes: int,
    progress: object | None,
) -> ExploreResult: ...
