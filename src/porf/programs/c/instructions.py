"""From an instruction of LLVM, other than a branch, to code: arithmetic, conversions, structures, addresses."""

from collections.abc import Callable

from porf.programs.c import events, floats, ir, wide
from porf.programs.c.calls import call
from porf.programs.c.exceptions import after_call, land, resume
from porf.programs.c.frame import Frame
from porf.programs.c.integers import ARITHMETIC, SIMPLE, arithmetic, compare, sign_extend, wrap, zero_extend
from porf.programs.c.lifetimes import stack_object
from porf.programs.form import Unary

CHECKED = ("add", "sub", "mul")


def translate_instruction(frame: Frame, i: ir.Instruction) -> None:
    """Writes the code of one instruction."""
    if i.opcode in WIDE_TABLE and wide.computes(i):
        WIDE_TABLE[i.opcode](frame, i)
        return
    if i.opcode in ARITHMETIC:
        bits = frame.bits(i.type)
        left, right = (frame.one(o) for o in i.operands)
        if i.generated and i.opcode in CHECKED:
            frame.set_one(i, frame.code.checked(SIMPLE[i.opcode], left, right, bits // 8))
            return
        frame.set_one(i, arithmetic(frame.code, i.opcode, left, right, bits))
        return
    known = TABLE.get(i.opcode)
    if i.opcode == "unsupported":
        raise frame.unsupported(i.kind.removeprefix("unsupported: "))
    if known is None:
        raise frame.unsupported(f"'{i.opcode}'")
    known(frame, i)


def comparison(frame: Frame, i: ir.Instruction) -> None:
    is_test = i.kind in ("eq", "ne") and ir.Number(i.operands[1].type, 0) == i.operands[1]
    left, right = (frame.tested(o) if is_test else frame.one(o) for o in i.operands)
    frame.set_one(i, compare(frame.code, i.kind, left, right, frame.bits(i.operands[0].type)))


def selection(frame: Frame, i: ir.Instruction) -> None:
    condition = frame.one(i.operands[0])
    yes, no = frame.all(i.operands[1]), frame.all(i.operands[2])
    frame.set(i.result, tuple(frame.code.select(condition, a, b) for a, b in zip(yes, no, strict=True)))


def same(frame: Frame, i: ir.Instruction) -> None:
    """The result is the operand."""
    frame.leaves(i.type)
    frame.set(i.result, frame.all(i.operands[0]))


def frozen(frame: Frame, i: ir.Instruction) -> None:
    """The operand, with some value for what was never set."""
    frame.leaves(i.type)
    operands = frame.all(i.operands[0])
    frame.set(i.result, tuple(frame.code.unary(Unary.KNOWN, operand) for operand in operands))


def truncation(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, wrap(frame.code, frame.one(i.operands[0]), frame.bits(i.type)))


def zero_extension(frame: Frame, i: ir.Instruction) -> None:
    frame.bits(i.type)
    frame.set_one(i, zero_extend(frame.code, frame.one(i.operands[0]), frame.bits(i.operands[0].type)))


def sign_extension(frame: Frame, i: ir.Instruction) -> None:
    frame.bits(i.type)
    frame.set_one(i, sign_extend(frame.code, frame.one(i.operands[0]), frame.bits(i.operands[0].type)))


def extraction(frame: Frame, i: ir.Instruction) -> None:
    first, count = part(frame, i.operands[0].type, i.indices)
    frame.set(i.result, frame.all(i.operands[0])[first : first + count])


def insertion(frame: Frame, i: ir.Instruction) -> None:
    first, count = part(frame, i.operands[0].type, i.indices)
    whole = frame.all(i.operands[0])
    frame.set(i.result, whole[:first] + frame.all(i.operands[1]) + whole[first + count :])


def part(frame: Frame, type: ir.Type, indices: tuple[int, ...]) -> tuple[int, int]:
    """Which of a value's scalars belong to an element: the first one, and how many."""
    types, first = frame.unit.types, 0
    for index in indices:
        first += sum(len(frame.leaves(types.element(type, n))) for n in range(index))
        type = types.element(type, index)
    return first, len(frame.leaves(type))


def call_and_return(frame: Frame, i: ir.Instruction) -> None:
    call(frame, i)
    after_call(frame, i)


def address(frame: Frame, i: ir.Instruction) -> None:
    assert i.source is not None
    first, *indices = i.operands
    frame.set_one(i, frame.address(i.source, frame.one(first), indices, i.inbounds))


WIDE_TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    **dict.fromkeys(ARITHMETIC, wide.arithmetic),
    **dict.fromkeys(("trunc", "zext", "sext"), wide.convert),
    "icmp": wide.compare,
}
TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    "icmp": comparison,
    "fcmp": floats.compare,
    "fneg": floats.negate,
    "fpext": floats.resize,
    "fptrunc": floats.resize,
    "fptosi": floats.to_integer,
    "fptoui": floats.to_integer,
    "sitofp": floats.from_integer,
    "uitofp": floats.from_integer,
    **dict.fromkeys(floats.ARITHMETIC, floats.arithmetic),
    "select": selection,
    "freeze": frozen,
    "bitcast": same,
    "addrspacecast": same,
    "trunc": truncation,
    "zext": zero_extension,
    "sext": sign_extension,
    "ptrtoint": truncation,
    "ptrtoaddr": truncation,
    "inttoptr": zero_extension,
    "extractvalue": extraction,
    "insertvalue": insertion,
    "getelementptr": address,
    "alloca": stack_object,
    "call": call_and_return,
    "load": events.load,
    "store": events.store,
    "atomicrmw": events.update,
    "cmpxchg": events.compare_exchange,
    "fence": events.fence,
    "landingpad": land,
    "resume": resume,
}
