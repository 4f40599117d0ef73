"""From a constant to a number, and to its bytes in memory."""

import struct
from collections.abc import Callable

from porf.programs.c import ir
from porf.programs.c.errors import unsupported
from porf.programs.c.types import Types

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << min(b, 128),
}


class Constants:
    """Evaluates constants. `address` gives the pointer to a global or a function."""

    def __init__(self, types: Types, address: Callable[[str], int]) -> None:
        self.types = types
        self.address = address
        self._labels: dict[tuple[str, str], int] = {}

    def value(self, operand: ir.Operand) -> int:
        """A scalar as a signed number of its type's width; a single bit is 0 or 1."""
        match operand:
            case ir.Number(value=value):
                return value
            case ir.Undefined() | ir.Zero():
                return 0
            case ir.Symbol(name=name):
                return self.address(name)
            case ir.Label(function=function, block=block):  # a number that is no pointer to an object
                return self._labels.setdefault((function, block), len(self._labels) + 1)
            case ir.Expression():
                return wrapped(self._evaluate(operand), bits(operand.type))
            case ir.Text() | ir.Aggregate() | ir.Unsupported(type=ir.Opaque(name="float" | "double")):
                data = self.image(operand)
                if len(data) <= 8:
                    return int.from_bytes(data, "little", signed=True)
        words = operand.text if isinstance(operand, ir.Unsupported) else str(operand)
        raise unsupported(f"the constant '{words}'", None)

    def _evaluate(self, expression: ir.Expression) -> int:
        opcode, operands = expression.opcode, expression.operands
        if opcode == "getelementptr":
            assert expression.source is not None
            first, *indices = operands
            return self.value(first) + self.offset(expression.source, [self.value(i) for i in indices])
        values = [self.value(o) for o in operands]
        if opcode in ARITHMETIC:
            return ARITHMETIC[opcode](values[0], values[1])
        if opcode in ("lshr", "ashr"):
            left = values[0] & mask(bits(expression.type)) if opcode == "lshr" else values[0]
            return left >> min(values[1], 128)
        if opcode == "select":
            return values[1] if values[0] else values[2]
        if opcode.startswith("icmp"):
            return self._compare(opcode.removeprefix("icmp").strip(), operands, values)
        if opcode in ("zext", "ptrtoint"):
            return values[0] & mask(bits(operands[0].type))
        if opcode == "sext":
            return -values[0] if operands[0].type == ir.Integer(1) else values[0]
        if opcode in ("inttoptr", "bitcast", "trunc", "addrspacecast", "freeze"):
            return values[0]
        raise unsupported(f"'{opcode}' in a constant", None)

    def _compare(self, predicate: str, operands: tuple[ir.Operand, ...], values: list[int]) -> int:
        left, right = values[:2]
        if predicate.startswith("u") or isinstance(operands[0].type, ir.Pointer):
            limit = mask(bits(operands[0].type))
            left, right = left & limit, right & limit
        return int(COMPARISONS[predicate[-2:]](left, right))

    def offset(self, source: ir.Type, indices: list[int]) -> int:
        """How many bytes the indices of a getelementptr add."""
        total, at = indices[0] * self.types.size(source), source
        for index in indices[1:]:
            total += self.types.offset(at, index)
            at = self.types.element(at, index)
        return total

    def image(self, operand: ir.Operand) -> bytes:
        """The bytes in memory; padding and undefined bytes are 0."""
        size = self.types.size(operand.type)
        match operand:
            case ir.Zero() | ir.Undefined():
                return bytes(size)
            case ir.Text(data=data):
                return data.ljust(size, b"\0")
            case ir.Aggregate(elements=elements):
                out = bytearray(size)
                for index, element in enumerate(elements):
                    data = self.image(element)
                    at = self.types.offset(operand.type, index)
                    out[at : at + len(data)] = data
                return bytes(out)
            case ir.Unsupported(type=ir.Opaque(name="float" | "double" as name), text=text):
                return floating(name, text)
        value = self.value(operand)
        return (value & mask(bits(operand.type))).to_bytes(size, "little")


def bits(type: ir.Type) -> int:
    return type.bits if isinstance(type, ir.Integer) else 64


def mask(count: int) -> int:
    return (1 << count) - 1


def wrapped(value: int, count: int) -> int:
    """The number that so many bits represent: signed, except for a single bit."""
    value &= mask(count)
    return value - (1 << count) if count > 1 and value >> (count - 1) else value


def floating(name: str, text: str) -> bytes:
    """A floating-point number; LLVM writes both widths as 64-bit numbers."""
    word = text.split()[-1]
    try:
        number = struct.unpack("<d", struct.pack("<Q", int(word, 16)))[0] if word.startswith("0x") else float(word)
        return struct.pack("<d" if name == "double" else "<f", number)
    except (ValueError, OverflowError, struct.error):
        raise unsupported(f"the constant '{text}'", None) from None
