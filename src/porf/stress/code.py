"""The threads of a litmus test as C: one function each, instruction by instruction, for the harness to call.

The program form is what is explored, so what runs here means the same: a register is a local variable, an access of
memory is the compiler's own with the order that the test names, and a pointer is the same number in memory as there.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from porf._core import Order
from porf.errors import ProgramError
from porf.programs.form import (
    Assumption,
    Binary,
    Instruction,
    Modify,
    Opcode,
    Place,
    Program,
    Template,
    Unary,
    object_of,
    offset_of,
)
from porf.record import Record

FINE, DROPPED, ABANDONED, CUT, FAULTS = range(5)  # outcomes of a run; from FAULTS on, the number of a fault
_ORDERS = {
    Order.RLX: "__ATOMIC_RELAXED",
    Order.ACQ: "__ATOMIC_ACQUIRE",
    Order.REL: "__ATOMIC_RELEASE",
    Order.ACQ_REL: "__ATOMIC_ACQ_REL",
    Order.SC: "__ATOMIC_SEQ_CST",
}
_SIGNS = {
    Binary.AND: "&", Binary.OR: "|", Binary.XOR: "^", Binary.EQ: "==", Binary.NE: "!=",
    Binary.LT: "<", Binary.LE: "<=", Binary.GT: ">", Binary.GE: ">=",
}  # fmt: skip
_UNSIGNED_SIGNS = {
    Binary.ADD: "+", Binary.SUB: "-", Binary.MUL: "*", Binary.ULT: "<", Binary.ULE: "<=", Binary.UGT: ">",
    Binary.UGE: ">=",
}  # fmt: skip
_SHIFTS = {Binary.SHL: "shl", Binary.SHR: "shr", Binary.USHR: "ushr"}
_DIVISIONS = {Binary.DIV: "divided", Binary.MOD: "rest", Binary.UDIV: "udivided", Binary.UMOD: "urest"}
_UNARY = {Unary.NEG: "(int64_t)(0 - (uint64_t){})", Unary.INVERT: "~{}", Unary.NOT: "{} == 0", Unary.WRAP: "{}"}
_MODIFY = {
    Modify.EXCHANGE: "__atomic_exchange_n",
    Modify.ADD: "__atomic_fetch_add",
    Modify.SUB: "__atomic_fetch_sub",
    Modify.AND: "__atomic_fetch_and",
    Modify.OR: "__atomic_fetch_or",
    Modify.XOR: "__atomic_fetch_xor",
}

ARITHMETIC = """\
static inline int64_t shl(int64_t b, int64_t c) { return (uint64_t)c > 63 ? 0 : (int64_t)((uint64_t)b << c); }
static inline int64_t shr(int64_t b, int64_t c) { return b >> ((uint64_t)c > 63 ? 63 : c); }
static inline int64_t ushr(int64_t b, int64_t c) { return (uint64_t)c > 63 ? 0 : (int64_t)((uint64_t)b >> c); }
static inline int64_t divided(int64_t b, int64_t c) { return c == -1 ? (int64_t)(0 - (uint64_t)b) : b / c; }
static inline int64_t rest(int64_t b, int64_t c) { return c == -1 ? 0 : b % c; }
static inline int64_t udivided(int64_t b, int64_t c) { return (int64_t)((uint64_t)b / (uint64_t)c); }
static inline int64_t urest(int64_t b, int64_t c) { return (int64_t)((uint64_t)b % (uint64_t)c); }
"""


class Fault(Record):
    """What goes wrong in a run, and where."""

    what: str
    place: Place | None


class Function:
    """Writes the C of one template. `watched` are its registers that final states have, each with its number there."""

    def __init__(self, program: Program, template: Template, watched: dict[int, int], faults: list[Fault]) -> None:
        self._program = program
        self._template = template
        self._watched = watched
        self._faults = faults

    def body(self) -> str:
        """What the function does with its memory `m`, in a layout that `packed` chooses."""
        code = self._template.code
        targets = {target for i in code if (target := i.target) is not None}
        registers = sorted(self._registers())
        lines = [f"  int64_t {', '.join(f'r{n} = 0' for n in registers)};"] if registers else []
        lines += ["  int64_t turns = 0, why = FINE;", "  (void)m, (void)packed, (void)out, (void)turns, (void)why;"]
        for n, instruction in enumerate(code):
            if n in targets:
                lines.append(f"at_{n}:;")
            lines += [f"  {line}" for line in self._instruction(instruction)]
        lines += ["end:;", *(f"  out[{at}] = r{register};" for register, at in self._watched.items())]
        lines.append("  return FINE;")
        return "\n".join(lines)

    def _registers(self) -> set[int]:
        found = {n for i in self._template.code for n in i.operands(self._template.argument_lists) if n >= 0}
        for i in self._template.code:
            found |= {i.a} if i.opcode not in _JUMPS else set()
            found |= {i.e} if i.opcode is Opcode.CAS else set()
        return found | self._watched.keys()

    def _operand(self, operand: int) -> str:
        return f"r{operand}" if operand >= 0 else _number(self._template.pool[~operand])

    def _fault(self, i: Instruction, what: str) -> str:
        """The statement that ends the run with it."""
        self._faults.append(Fault(what, i.place))
        return f"return {FAULTS + len(self._faults) - 1};"

    def _instruction(self, i: Instruction) -> Iterator[str]:
        a, b, c = f"r{i.a}", self._operand(i.b), self._operand(i.c)
        match i.opcode:
            case Opcode.MOVE:
                yield f"{a} = {b};"
            case Opcode.BINARY:
                yield from self._binary(i, b, c)
            case Opcode.UNARY if Unary(i.kind) in _UNARY:
                yield f"{a} = {_wrapped(i, _UNARY[Unary(i.kind)].format(b))};"
            case Opcode.SELECT:
                yield f"{a} = {b} ? {c} : {self._operand(i.d)};"
            case Opcode.JUMP:
                yield f"goto at_{i.a};"
            case Opcode.JUMP_IF | Opcode.JUMP_UNLESS:
                yield f"if ({'' if i.opcode is Opcode.JUMP_IF else '!'}{b}) goto at_{i.a};"
            case Opcode.HEAD:
                return
            case Opcode.BACK:
                yield f"if ((why = again(&turns)) != FINE) return why; goto at_{i.c};"
            case Opcode.ASSUME if Assumption(i.kind) is Assumption.REQUIRED:
                yield f"if (!{b}) return DROPPED;"
            case Opcode.ASSERT:
                yield f"if (!{b}) {self._fault(i, self._program.messages[i.c])}"
            case Opcode.EXIT | Opcode.RETURN:
                yield "goto end;"
            case Opcode.JOIN:
                return  # whoever waits for others runs after them
            case Opcode.FENCE:
                yield f"__atomic_thread_fence({_ORDERS[i.order]});"
            case Opcode.LOAD | Opcode.STORE | Opcode.RMW | Opcode.CAS:
                yield from self._access(i)
            case Opcode.LOCK | Opcode.UNLOCK | Opcode.TRYLOCK:
                yield from self._mutex(i)
            case _:
                raise self._refused(i)

    def _binary(self, i: Instruction, b: str, c: str) -> Iterator[str]:
        kind = Binary(i.kind)
        if kind in _SIGNS:
            value = f"{b} {_SIGNS[kind]} {c}"
        elif kind in _UNSIGNED_SIGNS:
            value = f"(int64_t)((uint64_t){b} {_UNSIGNED_SIGNS[kind]} (uint64_t){c})"
        elif kind in _SHIFTS:
            value = f"{_SHIFTS[kind]}({b}, {c})"
        elif kind in _DIVISIONS:
            yield f"if ({c} == 0) {self._fault(i, 'a division by zero')}"
            value = f"{_DIVISIONS[kind]}({b}, {c})"
        else:
            raise self._refused(i)
        yield f"r{i.a} = {_wrapped(i, value)};"

    def _access(self, i: Instruction) -> Iterator[str]:
        kind = _type(i)
        place = yield from self._place(i)
        if place is None:
            return
        a, value = f"r{i.a}", f"({kind}){self._operand(i.c)}"
        order = _ORDERS.get(i.order)
        match i.opcode:
            case Opcode.LOAD:
                yield f"{a} = *{place};" if order is None else f"{a} = __atomic_load_n({place}, {order});"
            case Opcode.STORE:
                yield f"*{place} = {value};" if order is None else f"__atomic_store_n({place}, {value}, {order});"
            case Opcode.RMW if Modify(i.kind) in _MODIFY:
                yield f"{a} = {_MODIFY[Modify(i.kind)]}({place}, {value}, {order});"
            case Opcode.CAS:
                weak, orders = "true" if i.weak else "false", f"{order}, {_ORDERS[i.failure]}"
                desired = f"({kind}){self._operand(i.d)}"
                yield f"{{ {kind} found = {value};"
                yield f"  r{i.e} = __atomic_compare_exchange_n({place}, &found, {desired}, {weak}, {orders});"
                yield f"  {a} = found; }}"
            case _:
                raise self._refused(i)

    def _mutex(self, i: Instruction) -> Iterator[str]:
        """A lock that spins: 1 if it is taken."""
        place = yield from self._place(i)
        if place is None:
            return
        if i.opcode is Opcode.UNLOCK:
            yield f"__atomic_store_n({place}, 0, __ATOMIC_RELEASE);"
        elif i.opcode is Opcode.TRYLOCK:
            yield f"r{i.a} = __atomic_exchange_n({place}, 1, __ATOMIC_ACQUIRE) == 0;"
        else:
            yield f"while (__atomic_exchange_n({place}, 1, __ATOMIC_ACQUIRE) != 0)"
            yield "  if ((why = again(&turns)) != FINE) return why;"

    def _place(self, i: Instruction) -> Generator[str, None, str | None]:
        """Gives a pointer to what is accessed; None if it is nowhere, and the run has ended."""
        wrong = "an access of no shared location"
        if i.b < 0:
            where = self._template.pool[~i.b]
            index, offset = object_of(where), offset_of(where)
            inside = 0 <= index < len(self._program.objects)
            if not inside or not 0 <= offset <= self._program.objects[index].size - i.width or offset % i.width:
                yield self._fault(i, wrong)
                return None
            return f"({_type(i)} *)(m + AT({index}) + {offset})"
        yield f"if (!is_inside(r{i.b}, {i.width})) {self._fault(i, wrong)}"
        return f"({_type(i)} *)(m + at[packed][(r{i.b} >> 32) - 1] + (uint32_t)r{i.b})"

    def _refused(self, i: Instruction) -> ProgramError:
        place, name = i.place, self._program.source or self._program.name
        return ProgramError(
            f"this cannot be run on the cores: {i}",
            source=(place.file if place else "") or name,
            line=place.line if place else None,
            column=place.column if place else None,
            hint="porf test runs it on a machine of its own",
        )


_JUMPS = frozenset(
    {Opcode.JUMP, Opcode.JUMP_IF, Opcode.JUMP_UNLESS, Opcode.HEAD, Opcode.BACK, Opcode.ASSUME, Opcode.ASSERT}
)


def _number(value: int) -> str:
    return "INT64_MIN" if value == -(2**63) else f"INT64_C({value})"


def _type(i: Instruction) -> str:
    return f"{'' if i.signed else 'u'}int{8 * i.width}_t"


def _wrapped(i: Instruction, value: str) -> str:
    return f"(int64_t)({_type(i)})({value})" if i.width in (1, 2, 4) else f"(int64_t)({value})"
