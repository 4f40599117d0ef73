"""From lines of LLVM's text to bytes: how large types are, where addresses lie in their objects, how wide accesses are.

LLVM takes an access outside a variable for one that never happens. So variables with such accesses must stay in memory.
"""

import re
from collections.abc import Iterable
from functools import cached_property

from porf.programs.c import ir
from porf.programs.c.text.operands import Operands
from porf.programs.c.text.tokens import Cursor, plain, tokens
from porf.programs.c.types import Types

NAME = r'%(?:"[^"]*"|[-\w$.]+)'
ALLOCA = re.compile(rf"  ({NAME}) = alloca (.+?), align \d+(?:, !dbg !\d+)?$")
LIFE = re.compile(rf"  call void @llvm\.lifetime\.(start|end)\.p0\((?:i64 (?:immarg )?-?\d+, )?ptr (?:\w+ )?({NAME})\)")
STORED = re.compile(rf"  store (?:\w+ )*ptr ({NAME}),")  # a pointer that is stored
_ACCESSED = re.compile(r"^  (?:store|\S+ = load) (?:atomic )?(?:volatile )?(i\d+|ptr|float|double)[ ,]")
_FLAGS = ("inbounds", "nusw", "nuw")


class Spans:
    """`lines` are those of a module: the structures that it names are among them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._operands = Operands()

    def size(self, type: str) -> int:
        return self._types.size(self._operands.type(Cursor(tokens(type))))

    def moved(self, line: str) -> int | None:
        """How far a getelementptr moves its pointer; None if that is not a constant."""
        cursor = Cursor(tokens(line.partition(" = getelementptr ")[2]))
        while cursor.here in _FLAGS:
            cursor.next()
        at = self._operands.type(cursor)
        cursor.expect(",")
        self._operands.typed(cursor)
        offset, first = 0, True
        while cursor.here == "," and self._operands.starts_type(cursor.following):
            cursor.next()
            index = self._operands.typed(cursor)
            if not isinstance(index, ir.Number):
                return None
            if first:
                offset, first = index.value * self._types.size(at), False
            else:
                offset += self._types.offset(at, index.value)
                at = self._types.element(at, index.value)
        return offset

    def width(self, line: str) -> int:
        """How many bytes a load or a store accesses; 0 if that is not plain to see."""
        found = _ACCESSED.match(line)
        return self.size(found[1]) if found else 0

    @cached_property
    def _types(self) -> Types:
        structs: dict[str, ir.Struct] = {}
        for line in self._lines:
            if line.startswith("define "):  # structures come first
                break
            if line.startswith("%"):
                cursor = Cursor(tokens(line))
                name = plain(cursor.next())
                cursor.expect("=")
                cursor.expect("type")
                struct = self._operands.type(cursor)
                if isinstance(struct, ir.Struct):
                    structs[name] = struct
        return Types(structs)
