"""Arithmetic on integers of 1 to 64 bits. Registers hold them sign-extended, except that a single bit is 0 or 1."""

from porf.programs.code import Code
from porf.programs.form import Binary, Unary

# Operations that only need their result wrapped.
SIMPLE = {
    "add": Binary.ADD,
    "sub": Binary.SUB,
    "mul": Binary.MUL,
    "and": Binary.AND,
    "or": Binary.OR,
    "xor": Binary.XOR,
    "shl": Binary.SHL,
    "ashr": Binary.SHR,
    "sdiv": Binary.DIV,
    "srem": Binary.MOD,
}
UNSIGNED = {"udiv": Binary.UDIV, "urem": Binary.UMOD, "lshr": Binary.USHR}
ARITHMETIC = {*SIMPLE, *UNSIGNED}
COMPARISONS = {
    "eq": Binary.EQ,
    "ne": Binary.NE,
    "slt": Binary.LT,
    "sle": Binary.LE,
    "sgt": Binary.GT,
    "sge": Binary.GE,
    "ult": Binary.ULT,
    "ule": Binary.ULE,
    "ugt": Binary.UGT,
    "uge": Binary.UGE,
}
EXACT = (Binary.AND, Binary.OR, Binary.XOR, Binary.SHR, Binary.MOD)  # no wrapping is needed if the operands are wrapped


def wrap(code: Code, operand: int, bits: int) -> int:
    """The number that the lowest bits represent."""
    if bits == 1 and not code.is_truth(operand):
        return code.binary(Binary.AND, operand, code.constant(1))
    if bits == 64 or code.is_truth(operand):
        return operand
    if bits in (8, 16, 32):
        return code.unary(Unary.WRAP, operand, bits // 8)
    shift = code.constant(64 - bits)
    return code.binary(Binary.SHR, code.binary(Binary.SHL, operand, shift), shift)


def zero_extend(code: Code, operand: int, bits: int) -> int:
    """The number as an unsigned one."""
    if bits in (1, 64) or code.is_truth(operand):
        return operand
    if bits in (8, 16, 32):
        return code.unary(Unary.WRAP, operand, bits // 8, is_signed=False)
    return code.binary(Binary.AND, operand, code.constant((1 << bits) - 1))


def sign_extend(code: Code, operand: int, bits: int) -> int:
    """The number as a signed one: only a single bit has no sign in its register."""
    return code.unary(Unary.NEG, operand) if bits == 1 else operand


def arithmetic(code: Code, opcode: str, b: int, c: int, bits: int) -> int:
    """b opcode c. Overflow wraps; the result of a shift by too many bits is arbitrary."""
    if opcode in UNSIGNED:
        b = zero_extend(code, b, bits)
        c = c if opcode == "lshr" else zero_extend(code, c, bits)
        return wrap(code, code.binary(UNSIGNED[opcode], b, c), bits)
    if bits == 1 and opcode in ("sdiv", "srem", "ashr"):
        b, c = sign_extend(code, b, 1), sign_extend(code, c, 1) if opcode != "ashr" else c
    kind = SIMPLE[opcode]
    if (kind in EXACT and bits > 1) or kind in (Binary.AND, Binary.OR, Binary.XOR):
        return code.binary(kind, b, c)
    if bits in (8, 16, 32, 64):
        return code.binary(kind, b, c, bits // 8)
    return wrap(code, code.binary(kind, b, c), bits)


def compare(code: Code, predicate: str, b: int, c: int, bits: int) -> int:
    """b predicate c. Unsigned numbers of one width keep their order when they are sign-extended."""
    if bits == 1 and predicate.startswith("s"):
        b, c = sign_extend(code, b, 1), sign_extend(code, c, 1)
    return code.binary(COMPARISONS[predicate], b, c)
