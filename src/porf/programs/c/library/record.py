"""What is known about a function of the C library, or of LLVM: how a call becomes instructions, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, TypeVar

from porf import record

if TYPE_CHECKING:
    from porf.errors import ProgramError
    from porf.programs.c import ir
    from porf.programs.c.frame import Frame
    from porf.programs.code import Code

ALL = range(1 << 16)  # every argument
Result = int | tuple[int, ...] | None  # operands: one for each scalar of the result; None: all of them are 0
Emit = Callable[["Call"], Result]
E = TypeVar("E", bound=Emit)


class Record(record.Record):
    """One function. Arguments are given by their numbers."""

    emit: Emit | None  # None: known by name only, the program has to define it
    forgets: Collection[int] = ()  # pointers that nobody can reach through the call once it has returned
    gives_back: Collection[int] = ()  # likewise, except that the result may point to the same object
    hands_to: tuple[int, int] | None = None  # a function, and a pointer that only it gets, in this thread, later
    shows: tuple[int, ...] = ()  # only shown to people: the first one is the message or the format
    allocates: tuple[int, ...] = ()  # the product of these is the number of bytes that are allocated
    fixed: bool = False  # a definition in the program does not count
    atomic: bool = False  # a definition in the program is executed as one step, and is never inlined


class Call:
    """A call that is being translated."""

    def __init__(self, frame: Frame, instruction: ir.Instruction, name: str, record: Record) -> None:
        self.frame = frame
        self.code: Code = frame.code
        self.name = name
        self.record = record
        self.type = instruction.type
        self.operands = instruction.operands
        self.instruction = instruction

    def argument(self, index: int) -> int:
        """The operand of an argument that is a scalar."""
        if index >= len(self.operands):
            raise self.unsupported(f"a call to '{self.name}' with {len(self.operands)} arguments; it takes more")
        return self.frame.one(self.operands[index])

    def condition(self, index: int) -> int:
        """The operand of an argument that is only asked whether it is zero."""
        self.argument(index)
        return self.frame.tested(self.operands[index])

    def arguments(self, count: int) -> list[int]:
        return [self.argument(index) for index in range(count)]

    def number(self, index: int) -> int | None:
        """The value of an argument, if it is known."""
        return self.code.known(self.argument(index))

    def text(self, index: int) -> str | None:
        """The text that an argument points to, if it is a constant."""
        found = self.frame.constant_bytes(self.argument(index))
        return None if found is None else found.split(b"\0")[0].decode("utf-8", "replace")

    def message(self, text: str) -> int:
        """The number of a message."""
        return self.frame.unit.message(text)

    def unsupported(self, construct: str, hint: str | None = None) -> ProgramError:
        return self.frame.unsupported(construct, hint)


FUNCTIONS: dict[str, Record] = {}
PATTERNS: dict[str, Record] = {}  # names with *, which stands for any characters
OPAQUE: dict[str, int] = {}  # types that only the library looks into: how many words of 4 bytes are used, 0: all
VARIABLES: set[str] = set()  # that the library has, and the program only names


def function(
    *names: str,
    forgets: Collection[int] = (),
    gives_back: Collection[int] = (),
    hands_to: tuple[int, int] | None = None,
    shows: tuple[int, ...] = (),
    allocates: tuple[int, ...] = (),
    fixed: bool = False,
    atomic: bool = False,
) -> Callable[[E], E]:
    """Registers what emits calls of the functions with these names.

    A name of LLVM stands for all that add `.` and more to it. A * stands for any characters.
    """

    def register(emit: E) -> E:
        record = Record(emit, forgets, gives_back, hands_to, shows, allocates, fixed, atomic)
        for name in names:
            table = PATTERNS if "*" in name else FUNCTIONS
            assert name not in table, f"{name} has two records"
            table[name] = record
        return emit

    return register
