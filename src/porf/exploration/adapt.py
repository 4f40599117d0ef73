"""A program adapted to a model. Where a model has no SC accesses, SC fences are updates of a location of their own;
and loops wait as the model lets them."""

from porf._core import Order
from porf.errors import ProgramError
from porf.models.registry import Model
from porf.programs.form import Back, Cell, Instruction, Modify, Object, Opcode, Program, Template, pointer
from porf.record import replace

ORDERED = (Opcode.LOAD, Opcode.STORE, Opcode.RMW, Opcode.CAS, Opcode.FENCE)
FENCE_OBJECT = "(sc-fences)"


def has_sc(program: Program) -> bool:
    """Whether an access or a fence is sequentially consistent."""
    return any(i.order is Order.SC or i.failure is Order.SC for t in program.templates for i in t.code)


def only_sc(program: Program) -> bool:
    """Whether some access is sequentially consistent, and so is every one that is atomic, and every fence."""
    orders = {i.order for t in program.templates for i in t.code if i.opcode in ORDERED}
    orders |= {i.failure for t in program.templates for i in t.code if i.opcode is Opcode.CAS}
    return Order.SC in orders and orders <= {Order.SC, Order.NA}


def adapt(program: Program, model: Model) -> Program:
    """The program as it is explored under a model."""
    if "sc" in model.header.orders or not has_sc(program):
        return program
    target = pointer(len(program.objects))
    shared = Object(FENCE_OBJECT, 8, (Cell(0, 8, FENCE_OBJECT),))
    templates = tuple(_without_sc(t, target, program, model) for t in program.templates)
    return replace(program, objects=(*program.objects, shared), templates=templates)


def with_backs(program: Program, orders: bool) -> Program:
    """The program with the ends of iterations as they are in a model that looks at orders, or in one that does not."""
    kind = Back.EXACT if orders else Back.VISIBLE

    def back(i: Instruction) -> Instruction:
        return replace(i, kind=kind) if i.opcode is Opcode.BACK and i.kind == Back.WITHOUT_ORDERS else i

    templates = tuple(replace(t, code=tuple(map(back, t.code))) for t in program.templates)
    return replace(program, templates=templates)


def _without_sc(template: Template, target: int, program: Program, model: Model) -> Template:
    pool, scratch = list(template.pool), template.registers
    pool += [target, 0]
    address, zero = ~(len(pool) - 2), ~(len(pool) - 1)
    code = tuple(_fence(i, scratch, address, zero, program, model) for i in template.code)
    return replace(template, code=code, pool=tuple(pool), registers=template.registers + 1)


def _fence(i: Instruction, scratch: int, address: int, zero: int, program: Program, model: Model) -> Instruction:
    if i.opcode is Opcode.FENCE and i.order is Order.SC:
        return replace(
            i, opcode=Opcode.RMW, a=scratch, b=address, c=zero, kind=Modify.ADD, width=8, order=Order.ACQ_REL
        )
    if Order.SC in (i.order, i.failure):
        place = i.place
        raise ProgramError(
            f"{model.name} has no SC accesses",
            source=(place.file if place else "") or program.source or program.name,
            line=place.line if place else None,
            column=place.column if place else None,
            hint="use acquire and release, or SC fences; --model cpp20 has SC accesses",
        )
    return i
