"""Executions as litmus tests of RISC-V."""

from porf.formats.litmus.assembly import Assembler, history
from porf.formats.litmus.outline import Outline

_SUFFIXES = {
    (): "",
    ("Acq",): ".aq",
    ("Rel",): ".rl",
    ("AcqRel",): ".aq.rl",
    ("Acq", "Rel"): ".aq.rl",
}


def text(outline: Outline, name: str, title: str) -> str:
    return history(outline, Instructions, name, title)


class Instructions(Assembler):
    architecture, heading = "riscv", "RISCV"

    def register(self, at: int) -> str:
        if at > 26:
            raise IndexError
        return f"x{at + 5}"

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
        self._instruction("mv", into, source)

    def compare(self, condition: str, left: int, right: int, label: str) -> None:
        self._instruction(f"b{condition}", left, right, label)

    def jump(self, label: str) -> None:
        self._instruction("j", label)

    def modify(self, operation: str, into: int, value: int, base: int, tags: tuple[str, ...]) -> None:
        name = {"exchange": "swap"}.get(operation, operation)
        if name == "sub":
            raise self.refuse("an update that fetches and subs")
        self._instruction(f"amo{name}.w{self._suffix(tags, 'an update')}", into, value, f"({self.register(base)})")

    def add_number(self, into: int, left: int, value: int) -> None:
        self._instruction("addi", into, left, str(value))

    def branch(self, on: int, label: str) -> None:
        self._instruction("bne", on, "x0", label)

    def _suffix(self, tags: tuple[str, ...], what: str) -> str:
        suffix = _SUFFIXES.get(tuple(sorted(set(tags) - {"EX"})))
        if suffix is None:
            raise self.refuse(f"{what} that is {' '.join(tags)}")
        return suffix

    def _place(self, base: int, index: int | None) -> str:
        if index is not None:
            self.combine("add", index, base, index)
            base = index
        return f"0({self.register(base)})"

    def load(self, into: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        name = "lr.w" if "EX" in tags else "lw"
        suffix = self._suffix(tags, "a load")
        self._instruction(name + suffix, into, self._place(base, index))

    def store(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        if "EX" in tags:
            raise self.refuse("a store-conditional without its load")
        suffix = self._suffix(tags, "a store")
        self._instruction("sw" + suffix, value, self._place(base, index))

    def update(self, into: int, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        suffix = self._suffix(tags, "an update")
        place = self._place(base, index).removeprefix("0")
        self._instruction("amoswap.w" + suffix, into, value, place)

    def conditional(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        status, suffix = self.fresh(), self._suffix(tags, "a store-conditional")
        self._instruction("sc.w" + suffix, status, value, self._place(base, index))
        self.successes.append(f"{self.register(status)}=0")

    def fence(self, tag: str) -> None:
        sets = tag.removeprefix("Fence.")
        if sets in ("tso", "i"):
            self.line(f"fence.{sets}")
        else:
            self._instruction("fence", *sets.split("."))
