"""Floating point by IEEE 754: registers hold the bits. Arithmetic on floats is that on doubles, rounded."""

from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.integers import sign_extend, wrap, zero_extend
from porf.programs.code import Code
from porf.programs.form import Binary, Unary

ARITHMETIC = {
    "fadd": Binary.FADD,
    "fsub": Binary.FSUB,
    "fmul": Binary.FMUL,
    "fdiv": Binary.FDIV,
    "frem": Binary.FREM,
}
# A comparison that is false if an operand is not a number, and whether its operands are swapped.
ORDERED = {
    "oeq": (Binary.FEQ, False),
    "olt": (Binary.FLT, False),
    "ole": (Binary.FLE, False),
    "ogt": (Binary.FLT, True),
    "oge": (Binary.FLE, True),
    "uno": (Binary.FUNORDERED, False),
}
OPPOSITES = {"une": "oeq", "ord": "uno", "uge": "olt", "ugt": "ole", "ule": "ogt", "ult": "oge", "ueq": "one"}


def is_single(type: ir.Type) -> bool:
    return type == ir.Opaque("float")


def as_double(frame: Frame, operand: ir.Operand) -> int:
    value = frame.one(operand)
    return frame.code.unary(Unary.WIDEN, value) if is_single(operand.type) else value


def as_type(code: Code, value: int, type: ir.Type) -> int:
    """A double as what the type says."""
    return code.unary(Unary.NARROW, value) if is_single(type) else value


def arithmetic(frame: Frame, i: ir.Instruction) -> None:
    left, right = (as_double(frame, o) for o in i.operands)
    frame.set_one(i, as_type(frame.code, frame.code.binary(ARITHMETIC[i.opcode], left, right), i.type))


def compare(frame: Frame, i: ir.Instruction) -> None:
    left, right = (as_double(frame, o) for o in i.operands)
    frame.set_one(i, compared(frame.code, i.kind, left, right))


def compared(code: Code, predicate: str, left: int, right: int) -> int:
    if predicate in ("true", "false"):
        return code.constant(int(predicate == "true"))
    if predicate in OPPOSITES:
        return code.unary(Unary.NOT, compared(code, OPPOSITES[predicate], left, right))
    if predicate == "one":
        return code.binary(Binary.OR, code.binary(Binary.FLT, left, right), code.binary(Binary.FLT, right, left))
    kind, swapped = ORDERED[predicate]
    return code.binary(kind, right, left) if swapped else code.binary(kind, left, right)


def sign_bit(type: ir.Type) -> int:
    """The bits of a register that say that a number is negative: registers are sign-extended."""
    return -(1 << 31) if is_single(type) else -(1 << 63)


def negate(frame: Frame, i: ir.Instruction) -> None:
    value = frame.one(i.operands[0])
    frame.set_one(i, frame.code.binary(Binary.XOR, value, frame.code.constant(sign_bit(i.type))))


def from_integer(frame: Frame, i: ir.Instruction) -> None:
    value, bits, unsigned = frame.one(i.operands[0]), frame.bits(i.operands[0].type), i.opcode == "uitofp"
    value = (zero_extend if unsigned else sign_extend)(frame.code, value, bits)
    if is_single(i.type):
        kind = Unary.UINT_TO_FLOAT if unsigned else Unary.INT_TO_FLOAT
    else:
        kind = Unary.UINT_TO_DOUBLE if unsigned else Unary.INT_TO_DOUBLE
    frame.leaves(i.type)
    frame.set_one(i, frame.code.unary(kind, value))


def to_integer(frame: Frame, i: ir.Instruction) -> None:
    """Towards zero. What does not fit is undefined, and the compiler's own check comes before."""
    kind = Unary.DOUBLE_TO_UINT if i.opcode == "fptoui" else Unary.DOUBLE_TO_INT
    frame.set_one(i, wrap(frame.code, frame.code.unary(kind, as_double(frame, i.operands[0])), frame.bits(i.type)))


def resize(frame: Frame, i: ir.Instruction) -> None:
    frame.leaves(i.type)
    frame.set_one(i, as_type(frame.code, as_double(frame, i.operands[0]), i.type))
