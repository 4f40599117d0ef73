"""The compiled core's types: one section a family, bound in core/bindings/<family>.cpp."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

_Int32 = npt.NDArray[np.int32]
_Int64 = npt.NDArray[np.int64]
_UInt8 = npt.NDArray[np.uint8]

# ---- relations: relation programs, evaluated and searched ----

class RelationProgram:
    """A model: rows of (op, a, b, c, kind), and of (register, check, negated, flagged, monotone in mo)."""

    def __init__(self, code: _Int32, axioms: _Int32) -> None: ...

class Evaluator:
    """A relation program on one execution. Events cross the border as references."""

    def __init__(
        self,
        program: RelationProgram,
        thread: _Int32,
        op: _UInt8,
        loc: _Int32,
        order: _UInt8,
        rf: _Int32,
        threads: int,
        locations: int,
        dependencies: Sequence[_Int32],
        two_events: bool,
    ) -> None: ...
    def order(self, before: _Int32, after: _Int32) -> None:
        """Sets the modification order and evaluates everything under it."""
    def broken(self) -> list[int]: ...
    def breaking(self, axiom: int) -> list[tuple[int, int, int, bool]]:
        """(source, base relation, target, backwards) of the shortest cycle or pair that breaks an axiom."""
    def pairs(self, reg: int) -> list[tuple[int, int]]: ...
    def members(self, reg: int) -> list[int]: ...
    def search(
        self, seconds: float, steps: int, bytes: int, progress: Callable[[int], object] | None
    ) -> tuple[int, _Int32, _Int64, int, _Int32, _Int32, _Int32, _Int32, int]:
        """Verdict (0 consistent, 1 inconsistent, 2 undecided), writes, start, root proof, axioms of proofs,
        before, after and refutation of steps, and how many steps were spent.
        """

# ---- end of relations ----
