"""Parses instructions: each opcode has its own order of parts."""

from collections.abc import Callable

from porf.programs.c import ir
from porf.programs.c.text.calls import Calls
from porf.programs.c.text.operands import BIT, POINTER, VOID, Operands
from porf.programs.c.text.tokens import Cursor, TextError, plain, words

_BINARY = words("add sub mul udiv sdiv urem srem shl lshr ashr and or xor fadd fsub fmul fdiv frem")
_CONVERSIONS = words(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast ptrtoaddr"
)
_FLAGS = words("nuw nsw exact disjoint nneg samesign inbounds nusw fast nnan ninf nsz arcp contract afn reassoc")
_ORDERS = words("unordered monotonic acquire release acq_rel seq_cst")
_ONE = ir.Number(ir.Integer(32), 1)

_Parser = Callable[[Cursor, str, str], ir.Instruction]


class Instructions:
    """Parses one instruction at a time; `structs` are the named ones, for the types of elements."""

    def __init__(self, operands: Operands, structs: dict[str, ir.Struct]) -> None:
        self._operands = operands
        self._structs = structs
        calls = Calls(operands)
        self._parsers: dict[str, _Parser] = {
            "load": self._load,
            "store": self._store,
            "cmpxchg": self._compare_exchange,
            "atomicrmw": self._update,
            "fence": self._fence,
            "alloca": self._alloca,
            "getelementptr": self._address,
            "icmp": self._compare,
            "fcmp": self._compare,
            "select": self._select,
            "phi": self._phi,
            "br": self._branch,
            "switch": self._switch,
            "indirectbr": self._indirect_branch,
            "ret": self._return,
            "unreachable": self._unreachable,
            "extractvalue": self._extract,
            "insertvalue": self._insert,
            "freeze": self._same,
            "fneg": self._same,
            "resume": self._resume,
            "va_arg": self._variadic,
            "extractelement": self._vector,
            "insertelement": self._vector,
            "shufflevector": self._vector,
            "call": calls.call,
            "tail": calls.call,
            "musttail": calls.call,
            "notail": calls.call,
            "invoke": calls.invoke,
            "landingpad": calls.landing,
        }
        self._parsers |= dict.fromkeys(_BINARY, self._binary)
        self._parsers |= dict.fromkeys(_CONVERSIONS, self._conversion)

    def parse(self, cursor: Cursor) -> ir.Instruction:
        result = ""
        if cursor.here[:1] == "%" and cursor.following == "=":
            result = plain(cursor.next())
            cursor.next()
        opcode = cursor.next()
        parser = self._parsers.get(opcode)
        if parser is None:
            raise TextError(f"unsupported: the instruction '{opcode}'")
        found = parser(cursor, opcode, result)
        if cursor.here not in ("", ","):
            raise TextError(f"unsupported: '{cursor.here}' after the instruction '{opcode}'")
        return found

    def _flags(self, cursor: Cursor) -> None:
        cursor.take_any(_FLAGS)

    def _binary(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._flags(cursor)
        kind = self._operands.type(cursor)
        return ir.Instruction(opcode, result, kind, self._pair(cursor, kind))

    def _pair(self, cursor: Cursor, kind: ir.Type) -> tuple[ir.Operand, ir.Operand]:
        left = self._operands.operand(cursor, kind)
        cursor.expect(",")
        return left, self._operands.operand(cursor, kind)

    def _compare(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._flags(cursor)
        predicate = cursor.next()
        kind = self._operands.type(cursor)
        pair = self._pair(cursor, kind)
        return ir.Instruction(opcode, result, BIT, pair, kind=predicate)

    def _conversion(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._flags(cursor)
        value = self._operands.typed(cursor)
        cursor.expect("to")
        return ir.Instruction(opcode, result, self._operands.type(cursor), (value,))

    def _same(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._flags(cursor)
        value = self._operands.typed(cursor)
        return ir.Instruction(opcode, result, value.type, (value,))

    def _select(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._flags(cursor)
        found = self._listed(cursor, 3)
        return ir.Instruction(opcode, result, found[1].type, found)

    def _listed(self, cursor: Cursor, count: int) -> tuple[ir.Operand, ...]:
        found = [self._operands.typed(cursor)]
        while len(found) < count:
            cursor.expect(",")
            found.append(self._operands.typed(cursor))
        return tuple(found)

    def _phi(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        self._flags(cursor)
        kind = self._operands.type(cursor)
        values, labels = [], []
        while True:
            cursor.expect("[")
            values.append(self._operands.operand(cursor, kind))
            cursor.expect(",")
            labels.append(_block(cursor))
            cursor.expect("]")
            if cursor.following != "[" or not cursor.take(","):
                return ir.Instruction(opcode, result, kind, tuple(values), tuple(labels))

    def _load(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        cursor.take("atomic")
        volatile = cursor.take("volatile")
        kind = self._operands.type(cursor)
        cursor.expect(",")
        pointer = self._operands.typed(cursor)
        order = _order(cursor)
        return ir.Instruction(opcode, result, kind, (pointer,), source=kind, order=order, volatile=volatile)

    def _store(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        cursor.take("atomic")
        volatile = cursor.take("volatile")
        found = self._listed(cursor, 2)
        return ir.Instruction(opcode, "", VOID, found, order=_order(cursor), volatile=volatile)

    def _compare_exchange(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        weak = cursor.take("weak")
        volatile = cursor.take("volatile")
        found = self._listed(cursor, 3)
        kind = ir.Struct("", (found[1].type, BIT))
        order = _order(cursor)
        failure = cursor.next()
        if not order or failure not in _ORDERS:
            raise TextError("unsupported: a cmpxchg without its two orders")
        return ir.Instruction(opcode, result, kind, found, order=order, failure=failure, volatile=volatile, weak=weak)

    def _update(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        volatile = cursor.take("volatile")
        operation = cursor.next()
        found = self._listed(cursor, 2)
        order = _order(cursor)
        if not order:
            raise TextError("unsupported: an atomicrmw without an order")
        return ir.Instruction(opcode, result, found[1].type, found, kind=operation, order=order, volatile=volatile)

    def _fence(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        # A fence of one thread alone (a signal fence) orders nothing between threads.
        single = cursor.here == "syncscope" and '"singlethread"' in cursor.words
        order = _order(cursor)
        if not order:
            raise TextError("unsupported: a fence without an order")
        return ir.Instruction(opcode, order=order, kind="singlethread" if single else "")

    def _alloca(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        cursor.take("inalloca")
        kind = self._operands.type(cursor)
        count: ir.Operand = _ONE
        if cursor.here == "," and self._operands.starts_type(cursor.following):
            cursor.next()
            count = self._operands.typed(cursor)
        return ir.Instruction(opcode, result, POINTER, (count,), source=kind)

    def _address(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        inbounds = cursor.here == "inbounds"
        self._flags(cursor)
        source = self._operands.type(cursor)
        cursor.expect(",")
        found = [self._operands.typed(cursor)]
        while cursor.here == "," and self._operands.starts_type(cursor.following):
            cursor.next()
            found.append(self._operands.typed(cursor))
        kind = found[0].type
        return ir.Instruction(opcode, result, kind, tuple(found), source=source, inbounds=inbounds)

    def _branch(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        if cursor.here == "label":
            return ir.Instruction(opcode, labels=(_label(cursor),))
        condition = self._operands.typed(cursor)
        cursor.expect(",")
        then = _label(cursor)
        cursor.expect(",")
        return ir.Instruction(opcode, operands=(condition,), labels=(then, _label(cursor)))

    def _switch(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        values = [self._operands.typed(cursor)]
        cursor.expect(",")
        labels = [_label(cursor)]
        cursor.expect("[")
        while not cursor.take("]"):
            values.append(self._operands.typed(cursor))
            cursor.expect(",")
            labels.append(_label(cursor))
        return ir.Instruction(opcode, operands=tuple(values), labels=tuple(labels))

    def _indirect_branch(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        value = self._operands.typed(cursor)
        cursor.expect(",")
        cursor.expect("[")
        labels = []
        while not cursor.take("]"):
            labels.append(_label(cursor))
            cursor.take(",")
        return ir.Instruction(opcode, operands=(value,), labels=tuple(labels))

    def _return(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        if cursor.take("void"):
            return ir.Instruction(opcode)
        return ir.Instruction(opcode, operands=(self._operands.typed(cursor),))

    def _unreachable(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        return ir.Instruction(opcode)

    def _resume(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        return ir.Instruction(opcode, operands=(self._operands.typed(cursor),))

    def _variadic(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        pointer = self._operands.typed(cursor)
        cursor.expect(",")
        return ir.Instruction(opcode, result, self._operands.type(cursor), (pointer,))

    def _extract(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        value = self._operands.typed(cursor)
        indices = _indices(cursor)
        kind = value.type
        for index in indices:
            kind = self._part(kind, index)
        return ir.Instruction(opcode, result, kind, (value,), indices=indices)

    def _part(self, kind: ir.Type, index: int) -> ir.Type:
        if isinstance(kind, ir.Struct):
            whole = self._structs.get(kind.name, kind) if kind.name else kind
            if 0 <= index < len(whole.elements):
                return whole.elements[index]
        if isinstance(kind, ir.Array):
            return kind.element
        raise TextError(f"unsupported: element {index} of a value that has no such element")

    def _insert(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        found = self._listed(cursor, 2)
        return ir.Instruction(opcode, result, found[0].type, found, indices=_indices(cursor))

    def _vector(self, cursor: Cursor, opcode: str, result: str) -> ir.Instruction:
        found = self._listed(cursor, 2 if opcode == "extractelement" else 3)
        return ir.Instruction(opcode, result, found[0].type, found)


def _order(cursor: Cursor) -> str:
    if cursor.take("syncscope"):
        cursor.skip_group()
    return cursor.next() if cursor.here in _ORDERS else ""


def _block(cursor: Cursor) -> str:
    word = cursor.next()
    if word[0] != "%":
        raise TextError(f"unsupported: '{word}' where a label was expected")
    return plain(word)


def _label(cursor: Cursor) -> str:
    cursor.expect("label")
    return _block(cursor)


def _indices(cursor: Cursor) -> tuple[int, ...]:
    found = []
    while cursor.here == "," and cursor.following.isdigit():
        cursor.next()
        found.append(cursor.number())
    return tuple(found)
