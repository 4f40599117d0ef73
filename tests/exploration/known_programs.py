"""Small members of the papers' families of programs whose numbers of executions are known."""

from __future__ import annotations

from collections.abc import Callable

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Cell, Modify, Object, Opcode, Program, Start, pointer

Code = Callable[[Assembler], None]


def assembled(name: str, places: dict[str, int], threads: list[Code]) -> Program:
    """Places with their initial values, each of 8 bytes, and a thread for each piece of code."""
    templates = []
    for number, code in enumerate(threads):
        assembler = Assembler(f"t{number}")
        code(assembler)
        templates.append(assembler.template())
    objects = tuple(Object(label, 8, (Cell(0, 8, label, value),)) for label, value in places.items())
    return Program(name, objects, tuple(templates), tuple(Start(t) for t in range(len(threads))))


def load(a: Assembler, place: int, order: Order = Order.ACQ) -> int:
    into = a.register()
    a.emit(Opcode.LOAD, a=into, b=a.constant(pointer(place)), width=8, order=order)
    return into


def store(a: Assembler, place: int, operand: int, order: Order = Order.REL) -> None:
    a.emit(Opcode.STORE, b=a.constant(pointer(place)), c=operand, width=8, order=order)


def add(a: Assembler, b: int, c: int) -> int:
    out = a.register()
    a.emit(Opcode.BINARY, a=out, b=b, c=c, kind=Binary.ADD)
    return out


def _writer(place: int, *values: int) -> Code:
    def code(a: Assembler) -> None:
        for value in values:
            store(a, place, a.constant(value))

    return code


def _reader(*places: int) -> Code:
    def code(a: Assembler) -> None:
        for place in places:
            load(a, place)

    return code


def n_writers_a_reader(n: int) -> Program:
    return assembled("n-writers-a-reader", {"x": 0}, [*(_writer(0, i + 1) for i in range(n)), _reader(0)])


def redundant_co(n: int) -> Program:
    values = list(range(1, n + 1))
    return assembled("redundant-co", {"x": 0}, [_writer(0, *values), _writer(0, *values), _reader(0, 0)])


def readers(n: int) -> Program:
    return assembled("readers", {"x": 0}, [_writer(0, 1), *(_reader(0) for _ in range(n))])


def ainc(n: int) -> Program:
    def increment(a: Assembler) -> None:
        where, one = a.constant(pointer(0)), a.constant(1)
        a.emit(Opcode.RMW, a=a.register(), b=where, c=one, kind=Modify.ADD, width=8, order=Order.ACQ_REL)

    return assembled("ainc", {"x": 0}, [increment] * n)


def fib_bench(n: int) -> Program:
    def adds(place: int) -> Code:
        def code(a: Assembler) -> None:
            for _ in range(n):
                store(a, place, add(a, load(a, 0), load(a, 1)))

        return code

    return assembled("fib-bench", {"x": 1, "y": 1}, [adds(0), adds(1), _reader(0, 1)])


def lastzero(n: int) -> Program:
    def writer(j: int) -> Code:
        return lambda a: store(a, j, add(a, load(a, j - 1), a.constant(1)))

    def reader(a: Assembler) -> None:
        end = a.label()
        for j in reversed(range(n + 1)):
            a.jump_unless(load(a, j), end)
        a.put(end)

    return assembled("lastzero", {f"a{j}": 0 for j in range(n + 1)}, [reader, *(writer(j + 1) for j in range(n))])


def control_flow(n: int) -> Program:
    x, y, z = 0, 1, 2

    def r(a: Assembler) -> None:
        end = a.label()
        a.jump_if(load(a, y), end)
        store(a, z, a.constant(1))
        a.put(end)

    def s(a: Assembler) -> None:
        end = a.label()
        a.jump_unless(load(a, z), end)
        a.jump_if(load(a, y), end)
        store(a, x, a.constant(1))
        a.put(end)

    code = [*[_reader(x)] * n, *[_writer(y, 1)] * n, r, s]
    return assembled("control-flow", {"x": 0, "y": 0, "z": 0}, code)


def pthread_demo(loops: int, threads: int = 2) -> Program:
    def worker(a: Assembler) -> None:
        mutex = a.constant(pointer(1))
        for _ in range(loops):
            a.emit(Opcode.LOCK, b=mutex, width=8)
            store(a, 0, add(a, load(a, 0), a.constant(1)))
            a.emit(Opcode.UNLOCK, b=mutex, width=8)

    return assembled("pthread-demo", {"counter": 0, "m": 0}, [worker] * threads)


def exponential_bug(n: int) -> Program:
    x, y, m = 0, 1, 2

    def greater(a: Assembler, b: int, value: int) -> int:
        out = a.register()
        a.emit(Opcode.BINARY, a=out, b=b, c=a.constant(value), kind=Binary.GT)
        return out

    def locked(a: Assembler, stores: list[tuple[int, int]]) -> None:
        a.emit(Opcode.LOCK, b=a.constant(pointer(m)), width=8)
        for place, value in stores:
            store(a, place, a.constant(value))
        a.emit(Opcode.UNLOCK, b=a.constant(pointer(m)), width=8)

    def t1(a: Assembler) -> None:
        for _ in range(2):
            locked(a, [(x, 1), *[(y, 1)] * n])

    def t2(a: Assembler) -> None:
        for _ in range(2):
            end = a.label()
            locked(a, [(x, 0)])
            a.jump_unless(greater(a, load(a, x), 0), end)
            store(a, y, add(a, load(a, y), a.constant(1)))
            store(a, x, a.constant(2))
            a.put(end)

    def t3(a: Assembler) -> None:
        back = a.label()
        for _ in range(2):
            end, three = a.label(), a.register()
            a.jump_unless(greater(a, load(a, x), 1), end)
            a.emit(Opcode.BINARY, a=three, b=load(a, y), c=a.constant(3), kind=Binary.EQ)
            a.jump_if(three, back)
            store(a, y, a.constant(2))
            a.put(end)
        a.put(back)

    return assembled("exponential-bug", {"x": 0, "y": 0, "m": 0}, [t1, t2, t3])
