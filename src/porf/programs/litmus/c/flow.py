"""A code builder that knows which local variables are set on every path to here (definite assignment)."""

from porf.programs.assemble import Label, Loop
from porf.programs.code import Code
from porf.programs.form import Back

Names = frozenset[str] | None  # None: no path leads here


class Flow(Code):
    """What is set at a label is what is set at every jump to it. The head of a loop needs no look at later
    iterations: a variable that is set when the first one begins stays so."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.assigned: Names = frozenset()
        self._at_label: dict[int, Names] = {}

    def is_set(self, name: str) -> bool:
        return self.assigned is None or name in self.assigned

    def set(self, name: str) -> None:
        if self.assigned is not None:
            self.assigned |= {name}

    def unset(self, name: str) -> None:
        """A declaration without a value."""
        if self.assigned is not None:
            self.assigned -= {name}

    def put(self, label: Label) -> None:
        self.assigned = _both(self._at_label.get(label.number), self.assigned)
        super().put(label)

    def jump(self, label: Label) -> None:
        self._leave(label)
        super().jump(label)
        self.assigned = None

    def jump_if(self, operand: int, label: Label) -> None:
        self._leave(label)
        super().jump_if(operand, label)

    def jump_unless(self, operand: int, label: Label) -> None:
        self._leave(label)
        super().jump_unless(operand, label)

    def again(self, loop: Loop, kind: Back = Back.EXACT) -> None:
        super().again(loop, kind)
        self.assigned = None

    def _leave(self, label: Label) -> None:
        self._at_label[label.number] = _both(self._at_label.get(label.number), self.assigned)


def _both(left: Names, right: Names) -> Names:
    if left is None:
        return right
    return left if right is None else left & right
