"""Executions as litmus tests of AArch64."""

from porf.formats.litmus.assembly import Assembler, history
from porf.formats.litmus.outline import Outline

_LOADS = {(): "LDR", ("A",): "LDAR", ("Q",): "LDAPR", ("EX",): "LDXR", ("A", "EX"): "LDAXR"}
_STORES = {(): "STR", ("L",): "STLR"}
_CONDITIONALS = {(): "STXR", ("L",): "STLXR"}
_OPERATIONS = {"add": "ADD", "sub": "SUB", "and": "AND", "or": "ORR", "xor": "EOR"}
_UPDATES = {"add": "LDADD", "or": "LDSET", "xor": "LDEOR"}
_SWAPS = {(): "SWP", ("A",): "SWPA", ("L",): "SWPL", ("A", "L"): "SWPAL"}


def text(outline: Outline, name: str, title: str) -> str:
    return history(outline, Instructions, name, title)


class Instructions(Assembler):
    architecture, heading = "aarch64", "AArch64"

    def register(self, at: int) -> str:
        if at > 30:
            raise IndexError
        return f"X{at}"

    def set_number(self, into: int, value: int) -> None:
        self.line(f"MOV W{into},#{value}")

    def nothing(self, into: int, source: int) -> None:
        self.line(f"EOR W{into},W{source},W{source}")

    def combine(self, operation: str, into: int, left: int, right: int) -> None:
        self.line(f"{_OPERATIONS[operation]} W{into},W{left},W{right}")

    def copy(self, into: int, source: int) -> None:
        self.line(f"MOV W{into},W{source}")

    def compare(self, condition: str, left: int, right: int, label: str) -> None:
        self.line(f"CMP W{left},W{right}")
        self.line(f"B.{condition.upper()} {label}")

    def jump(self, label: str) -> None:
        self.line(f"B {label}")

    def modify(self, operation: str, into: int, value: int, base: int, tags: tuple[str, ...]) -> None:
        if operation == "exchange":
            self.update(into, value, base, None, tags)
            return
        name = _UPDATES.get(operation)
        if name is None:
            raise self.refuse(f"an update that fetches and {operation}s")
        order = "".join(letter for letter in "AL" if letter in tags)
        self.line(f"{name}{order} W{value},W{into},[X{base}]")

    def add_number(self, into: int, left: int, value: int) -> None:
        self.line(f"ADD W{into},W{left},#{value}")

    def branch(self, on: int, label: str) -> None:
        self.line(f"CBNZ W{on},{label}")

    def _place(self, base: int, index: int | None, simple: bool) -> str:
        """Only plain accesses add an index themselves."""
        if index is None:
            return f"[X{base}]"
        if simple:
            return f"[X{base},W{index},SXTW]"
        self.line(f"ADD X{index},X{base},W{index},SXTW")
        return f"[X{index}]"

    def load(self, into: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        name = _LOADS.get(tuple(sorted(tags)))
        if name is None:
            raise self.refuse(f"a load that is {' '.join(tags)}")
        self.line(f"{name} W{into},{self._place(base, index, not tags)}")

    def store(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        name = _STORES.get(tags)
        if name is None:
            raise self.refuse(f"a store that is {' '.join(tags)}")
        self.line(f"{name} W{value},{self._place(base, index, not tags)}")

    def update(self, into: int, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        name = _SWAPS.get(tuple(sorted(set(tags) - {"EX", "NoRet"})))
        if name is None:
            raise self.refuse(f"an update that is {' '.join(tags)}")
        self.line(f"{name} W{value},W{into},{self._place(base, index, False)}")

    def conditional(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        name = _CONDITIONALS.get(tuple(tag for tag in tags if tag != "EX"))
        if name is None:
            raise self.refuse(f"a store-conditional that is {' '.join(tags)}")
        status = self.fresh()
        self.line(f"{name} W{status},W{value},{self._place(base, index, False)}")
        self.successes.append(f"X{status}=0")

    def fence(self, tag: str) -> None:
        self.line(tag.replace(".", " "))
