"""Parses types and operands."""

import re

from porf.programs.c import ir
from porf.programs.c.text.tokens import Cursor, TextError, plain, unescape_bytes, words

VOID, POINTER, BIT = ir.Void(), ir.Pointer(), ir.Integer(1)

_INTEGER = re.compile(r"i[1-9]\d*")
_DIGITS = re.compile(r"-?\d+")
_PLAIN_TYPES: dict[str, ir.Type] = {
    "void": VOID,
    "ptr": POINTER,
    **{f"i{bits}": ir.Integer(bits) for bits in (8, 16, 32, 64, 128)},
    "i1": BIT,
}
_OPAQUE = words("half bfloat float double x86_fp80 fp128 ppc_fp128 x86_mmx x86_amx metadata label token target opaque")
_OPENING = frozenset("[{<")
_CONVERSIONS = words(
    "trunc zext sext ptrtoint inttoptr bitcast addrspacecast ptrtoaddr fptrunc fpext fptoui fptosi uitofp sitofp"
)
_ARITHMETIC = words("add sub mul shl lshr ashr and or xor")
_FLAGS = words("inbounds nusw nuw nsw exact disjoint nneg")
_WORDS = words(
    "true false null undef poison zeroinitializer none asm getelementptr splat blockaddress "
    "dso_local_equivalent no_cfi ptrauth select icmp fcmp extractelement insertelement shufflevector"
)
_VALUE_WORDS = _WORDS | _CONVERSIONS | _ARITHMETIC


class Operands:
    """Parses types and operands; `aliases` are symbols that stand for others."""

    def __init__(self) -> None:
        self.aliases: dict[str, ir.Operand] = {}
        self._types = dict(_PLAIN_TYPES)
        self._registers: dict[tuple[str, int], ir.Register] = {}  # by their words and their types' identities

    def type(self, cursor: Cursor) -> ir.Type:
        word = cursor.next()
        found = self._types.get(word)
        if found is None:
            return self._other_type(cursor, word)
        if found is POINTER and cursor.here == "addrspace":
            cursor.next()
            return ir.Opaque(f"ptr addrspace{cursor.skip_group()}".replace(" ", ""))
        return found

    def starts_type(self, word: str) -> bool:
        if word in self._types or word[:1] == "%" or word in _OPENING or word in _OPAQUE:
            return True
        return _INTEGER.fullmatch(word) is not None

    def _other_type(self, cursor: Cursor, word: str) -> ir.Type:
        if word[0] == "%":
            self._types[word] = ir.Struct(plain(word))
            return self._types[word]
        if word == "[":
            count = cursor.number()
            cursor.expect("x")
            element = self.type(cursor)
            cursor.expect("]")
            return ir.Array(count, element)
        if word == "{":
            return ir.Struct("", self._elements(cursor))
        if word == "<" and cursor.take("{"):
            elements = self._elements(cursor)
            cursor.expect(">")
            return ir.Struct("", elements, packed=True)
        if _INTEGER.fullmatch(word):
            self._types[word] = ir.Integer(int(word[1:]))
            return self._types[word]
        if word == "<":
            cursor.at -= 1
            return ir.Opaque(cursor.skip_group())
        if word in _OPAQUE:
            return ir.Opaque(word + (cursor.skip_group() if word == "target" else ""))
        raise TextError(f"unsupported: '{word}' where a type was expected")

    def _elements(self, cursor: Cursor) -> tuple[ir.Type, ...]:
        if cursor.take("}"):
            return ()
        found = [self.type(cursor)]
        while cursor.take(","):
            found.append(self.type(cursor))
        cursor.expect("}")
        return tuple(found)

    def typed(self, cursor: Cursor) -> ir.Operand:
        """A type and an operand of it."""
        return self.operand(cursor, self.type(cursor))

    def operand(self, cursor: Cursor, kind: ir.Type) -> ir.Operand:
        word = cursor.next()
        first = word[0]
        if first == "%":
            register = self._registers.get((word, id(kind)))
            if register is None:  # which keeps its type, so that no other one gets the same identity
                register = self._registers[word, id(kind)] = ir.Register(kind, plain(word))
            return register
        if first == "@":
            name = plain(word)
            return self.aliases.get(name) or ir.Symbol(kind, name)
        if isinstance(kind, ir.Integer) and _DIGITS.fullmatch(word):
            return ir.Number(kind, int(word))
        return self._constant(cursor, kind, word)

    def _constant(self, cursor: Cursor, kind: ir.Type, word: str) -> ir.Operand:
        if word in ("true", "false"):
            return ir.Number(kind, int(word == "true"))
        if word == "null":
            return ir.Number(kind, 0)
        if word in ("undef", "poison"):
            return ir.Undefined(kind)
        if word == "zeroinitializer":
            return ir.Zero(kind)
        if word == "getelementptr":
            return self._address(cursor, kind)
        if word == "blockaddress":
            return self._label(cursor, kind)
        if word in _CONVERSIONS or word in _ARITHMETIC:
            return self._expression(cursor, kind, word)
        if word[:2] == 'c"':
            return ir.Text(kind, unescape_bytes(word[2:-1]))
        if isinstance(kind, ir.Array | ir.Struct) and word in _OPENING:
            return self._aggregate(cursor, kind, word)
        return self._unsupported(cursor, kind, word)

    def _aggregate(self, cursor: Cursor, kind: ir.Type, word: str) -> ir.Aggregate:
        packed = word == "<"
        if packed:
            cursor.expect("{")
        closing = "]" if word == "[" else "}"
        found = []
        if cursor.here != closing:
            found.append(self.typed(cursor))
            while cursor.take(","):
                found.append(self.typed(cursor))
        cursor.expect(closing)
        if packed:
            cursor.expect(">")
        return ir.Aggregate(kind, tuple(found))

    def _address(self, cursor: Cursor, kind: ir.Type) -> ir.Expression:
        while cursor.take_any(_FLAGS) or cursor.here == "inrange":
            if cursor.take("inrange"):
                cursor.skip_group()
        cursor.expect("(")
        source = self.type(cursor)
        found = []
        while cursor.take(","):
            found.append(self.typed(cursor))
        cursor.expect(")")
        if not found:
            raise TextError("unsupported: a getelementptr of nothing")
        return ir.Expression("getelementptr", kind, tuple(found), source)

    def _label(self, cursor: Cursor, kind: ir.Type) -> ir.Label:
        cursor.expect("(")
        function = plain(cursor.next())
        cursor.expect(",")
        block = plain(cursor.next())
        cursor.expect(")")
        return ir.Label(kind, function, block)

    def _expression(self, cursor: Cursor, kind: ir.Type, opcode: str) -> ir.Expression:
        cursor.take_any(_FLAGS)
        cursor.expect("(")
        found = [self.typed(cursor)]
        if opcode in _ARITHMETIC:
            cursor.expect(",")
            found.append(self.typed(cursor))
        else:
            cursor.expect("to")
            self.type(cursor)
        cursor.expect(")")
        return ir.Expression(opcode, kind, tuple(found))

    def _unsupported(self, cursor: Cursor, kind: ir.Type, word: str) -> ir.Unsupported:
        """Floating-point numbers, vectors, metadata: kept as text."""
        start = cursor.at - 1
        if word in _OPENING:
            cursor.at -= 1
            cursor.skip_group()
        elif not isinstance(kind, ir.Opaque) and word not in _VALUE_WORDS:
            raise TextError(f"unsupported: '{word}' where an operand was expected")
        else:
            while cursor.here in _FLAGS or cursor.here in ("(", "{") or (cursor.here[:1] in "@%" and cursor.here):
                cursor.skip_group() if cursor.here in ("(", "{") else cursor.next()
        return ir.Unsupported(kind, " ".join(cursor.words[start : cursor.at]))

    def attributes(self, cursor: Cursor) -> ir.Type | None:
        """Skips the attributes of a parameter, an argument or a result; returns the type of a `byval`, if any."""
        copied = None
        while True:
            word = cursor.here
            if word in _VALUE_WORDS or not (word[:1].isalpha() or word[:1] == '"') or word[:2] == 'c"':
                return copied
            if self.starts_type(word):
                return copied
            cursor.next()
            if word == "byval" and cursor.take("("):
                copied = self.type(cursor)
                cursor.expect(")")
            elif cursor.here == "(":
                cursor.skip_group()
            elif word in ("align", "cc", "alignstack"):
                cursor.number()
            elif cursor.take("="):  # "key"="value"
                cursor.next()
