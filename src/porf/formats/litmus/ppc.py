"""Executions as litmus tests of Power."""

from porf.formats.litmus.assembly import Assembler, history
from porf.formats.litmus.outline import Outline


def text(outline: Outline, name: str, title: str) -> str:
    return history(outline, Instructions, name, title)


class Instructions(Assembler):
    architecture, heading = "ppc", "PPC"

    def register(self, at: int) -> str:
        if at > 30:
            raise IndexError
        return f"r{at + 1}"  # as a base of an address r0 stands for 0

    def _instruction(self, mnemonic: str, *operands: int | str) -> None:
        words = [self.register(operand) if isinstance(operand, int) else operand for operand in operands]
        self.line(f"{mnemonic} {','.join(words)}")

    def set_number(self, into: int, value: int) -> None:
        self._instruction("li", into, str(value))

    def nothing(self, into: int, source: int) -> None:
        self._instruction("xor", into, source, source)

    def combine(self, operation: str, into: int, left: int, right: int) -> None:
        self._instruction(operation, into, left, right)

    def copy(self, into: int, source: int) -> None:
        self._instruction("mr", into, source)

    def compare(self, condition: str, left: int, right: int, label: str) -> None:
        self._instruction("cmpw", left, right)
        self._instruction(f"b{condition}", label)

    def jump(self, label: str) -> None:
        self._instruction("b", label)

    def modify(self, operation: str, into: int, value: int, base: int, tags: tuple[str, ...]) -> None:
        """A loop of exclusives."""
        label, written = self.label(), value
        self.line(f"{label}:")
        self.load(into, base, None, ("EX",))
        if operation != "exchange":
            written = self.fresh()
            self.combine(operation, written, into, value)
        self._instruction("stwcx.", written, *self._two(base, None))
        self._instruction("bne", label)

    def add_number(self, into: int, left: int, value: int) -> None:
        self._instruction("addi", into, left, str(value))

    def branch(self, on: int, label: str) -> None:
        self._instruction("cmpw", on, on)
        self._instruction("beq", label)

    def load(self, into: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        if tags == ("EX",):
            self._instruction("lwarx", into, *self._two(base, index))
        elif index is None:
            self._instruction("lwz", into, f"0({self.register(base)})")
        else:
            self._instruction("lwzx", into, index, base)

    def store(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        if tags:
            raise self.refuse("a store-conditional without its load")
        if index is None:
            self._instruction("stw", value, f"0({self.register(base)})")
        else:
            self._instruction("stwx", value, index, base)

    def update(self, into: int, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        raise self.refuse("an update; it has lwarx and stwcx. (r x ex, w x ex lxsx=…)")

    def conditional(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        self._instruction("stwcx.", value, *self._two(base, index))
        label, done = self.label(), self.fresh()
        self._instruction("bne", label)
        self._instruction("li", done, "1")
        self.line(f"{label}:")
        self.successes.append(f"{self.register(done)}=1")

    def _two(self, base: int, index: int | None) -> tuple[int | str, int]:
        return ("r0" if index is None else index), base

    def fence(self, tag: str) -> None:
        self.line(tag.lower())
