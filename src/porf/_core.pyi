"""The compiled core's types: one section a family, bound in core/bindings/<family>.cpp."""

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

class Program:
    """A program as the explorer runs it; made by porf.programs.lower."""

    def __init__(
        self,
        code: Int32,
        templates: list[tuple[int, int, int, int, list[int], list[list[int]], list[tuple[list[int], int]]]],
        objects: list[tuple[int, int, list[tuple[int, int, bool, int]]]],
        layouts: list[tuple[int, int, list[tuple[int, int, bool, int]]]],
        locals: list[tuple[int, int, list[int]]],
        starts: list[tuple[int, list[int]]],
        watched: list[tuple[int, int]],
    ) -> None: ...

def explore(
    program: Program,
    model: int,
    strategy: int,
    race_sync: int,
    tasks: list[tuple[list[int], int]],
    *,
    unroll: int,
    limit: int,
    spurious: bool,
    keep_going: bool,
    self_check: bool,
    collect: bool,
    states: bool,
    ordered: bool,
    stop_at_cut: bool,
    leaks: bool,
    liveness: bool,
    seconds: float,
    bytes: int,
    progress: Callable[[int, int, float], object] | None,
    file: RelationProgram | None = None,
    two_events: bool = False,
    suspect: bool = False,
) -> dict[str, Any]: ...
