"""Accesses of volatile variables, which no memory model knows: plain ones, or relaxed atomic ones, as the user says."""

from collections.abc import Iterator

from porf.programs.c import ir
from porf.programs.c.types import Types
from porf.record import replace

PLAIN, RELAXED = "plain", "relaxed"
MEANINGS = (PLAIN, RELAXED)
NOTES = {
    PLAIN: "volatile accesses are plain ones, which may race: --volatile relaxed makes them relaxed atomic accesses",
    RELAXED: "volatile accesses are relaxed atomic ones",
}


def with_volatiles(module: ir.Module, meaning: str) -> ir.Module:
    """The module with these accesses as they are meant, and with a note if there are any."""
    if not any(True for function in module.functions.values() for _ in accesses(function)):
        return module
    module = replace(module, notes=(*module.notes, NOTES[meaning]))
    if meaning == PLAIN:
        return module
    types = Types(module.structs)
    return replace(module, functions={name: relaxed(f, types) for name, f in module.functions.items()})


def accesses(function: ir.Function) -> Iterator[ir.Instruction]:
    """Loads and stores that are volatile, but not atomic."""
    return (i for block in function.blocks for i in block.instructions if i.volatile and not i.order)


def relaxed(function: ir.Function, types: Types) -> ir.Function:
    if not any(True for _ in accesses(function)):
        return function
    blocks = (
        ir.Block(block.name, tuple(replace(i, order="monotonic") if fits(i, types) else i for i in block.instructions))
        for block in function.blocks
    )
    return replace(function, blocks=tuple(blocks))


def fits(i: ir.Instruction, types: Types) -> bool:
    """Whether an access is volatile, and of a scalar that an atomic access can have."""
    if not i.volatile or i.order:
        return False
    kind = i.operands[0].type if i.opcode == "store" else i.type
    return not isinstance(kind, ir.Array | ir.Struct) and types.size(kind) in (1, 2, 4, 8)
