"""Executions as litmus tests of x86, in the syntax in which the target comes last."""

from porf.formats.litmus.assembly import Assembler, history
from porf.formats.litmus.outline import Outline

_LETTERS = ("a", "b", "c", "d")
_JUMPS = {"eq": "e", "ne": "ne", "lt": "l", "le": "le", "gt": "g", "ge": "ge"}


def text(outline: Outline, name: str, title: str) -> str:
    return history(outline, Instructions, name, title)


class Instructions(Assembler):
    architecture, heading = "x86", "X86_64"

    def register(self, at: int) -> str:
        return [*(f"r{letter}x" for letter in _LETTERS), "rsi", "rdi", *(f"r{n}" for n in range(8, 16))][at]

    def _word(self, at: int) -> str:
        """The lower 32 bits."""
        name = self.register(at)
        return f"%{name}d" if name[1:].isdigit() else f"%e{name[1:]}"

    def set_number(self, into: int, value: int) -> None:
        self.line(f"movl ${value},{self._word(into)}")

    def nothing(self, into: int, source: int) -> None:
        self.line(f"movl {self._word(source)},{self._word(into)}")
        self.line(f"xorl {self._word(source)},{self._word(into)}")

    def combine(self, operation: str, into: int, left: int, right: int) -> None:
        if into == right != left:
            moved = self.fresh()
            self.copy(moved, right)
            right = moved
        if into != left:
            self.copy(into, left)
        self.line(f"{operation}l {self._word(right)},{self._word(into)}")

    def copy(self, into: int, source: int) -> None:
        self.line(f"movl {self._word(source)},{self._word(into)}")

    def compare(self, condition: str, left: int, right: int, label: str) -> None:
        self.line(f"cmpl {self._word(right)},{self._word(left)}")
        self.line(f"j{_JUMPS[condition]} {label}")

    def jump(self, label: str) -> None:
        self.line(f"jmp {label}")

    def modify(self, operation: str, into: int, value: int, base: int, tags: tuple[str, ...]) -> None:
        if operation == "exchange":
            self.update(into, value, base, None, tags)
            return
        if operation != "add":
            raise self.refuse(f"an update that fetches and {operation}s")
        self.copy(into, value)
        self.line(f"lock xaddl {self._word(into)},{self._place(base, None)}")

    def add_number(self, into: int, left: int, value: int) -> None:
        assert into == left
        self.line(f"addl ${value},{self._word(into)}")

    def branch(self, on: int, label: str) -> None:
        self.line(f"cmpl $0,{self._word(on)}")
        self.line(f"jne {label}")

    def _place(self, base: int, index: int | None) -> str:
        return f"(%{self.register(base)}{'' if index is None else f',%{self.register(index)}'})"

    def load(self, into: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        if tags:
            raise self.refuse("a locked load; it has updates")
        self.line(f"movl {self._place(base, index)},{self._word(into)}")

    def store(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        if tags:
            raise self.refuse("a locked store; it has updates")
        self.line(f"movl {self._word(value)},{self._place(base, index)}")

    def update(self, into: int, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        self.line(f"movl {self._word(value)},{self._word(into)}")
        self.line(f"xchgl {self._word(into)},{self._place(base, index)}")

    def conditional(self, value: int, base: int, index: int | None, tags: tuple[str, ...]) -> None:
        raise self.refuse("a store-conditional; it has updates")

    def fence(self, tag: str) -> None:
        self.line(tag.lower())
