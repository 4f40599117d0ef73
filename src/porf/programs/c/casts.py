"""dynamic_cast: an object's vtable says of which class it is, and all vtables are known."""

from porf.programs.c import ir
from porf.programs.c.library.record import Call
from porf.programs.form import Binary


def cast(call: Call) -> int:
    """A pointer to the base that is asked for of the whole object, or 0."""
    code, frame = call.code, call.frame
    types, memory = frame.unit.exceptions.types, frame.unit.memory
    target = call.operands[2]
    if not isinstance(target, ir.Symbol):
        raise call.unsupported("a dynamic_cast to a type that is not known")
    object, result, end = call.argument(0), code.register(), code.label()
    own = code.load(object, 8)
    for vtable in types.vtables:
        if not memory.has(vtable.symbol):
            continue
        if types.has_virtual_base(vtable.type, target.name):
            raise call.unsupported("a dynamic_cast to a virtual base")
        offset = types.offset(vtable.type, target.name)
        if offset is not None:
            begins = memory.value(ir.Symbol(ir.Pointer(), vtable.symbol)) + vtable.offset
            code.copy(result, code.add(object, memory.value(vtable.top) + offset))
            code.jump_if(code.binary(Binary.EQ, own, code.constant(begins)), end)
    code.copy(result, code.constant(0))
    code.put(end)
    return result
