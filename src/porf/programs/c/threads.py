"""Threads, mutexes and barriers of POSIX, and the primitives that porf's own library in C is written with.

A mutex is the first 4 bytes of its object: 0 if it is free. A barrier's first 4 bytes say for how many it waits.
"""

from __future__ import annotations

from collections.abc import Callable

from porf.execution import Order
from porf.programs.c import ir
from porf.programs.c.frame import Frame
from porf.programs.c.lifetimes import end_all
from porf.programs.form import Binary, Opcode, Reading, Unary

BUSY = 16  # EBUSY
RECURSIVE = 1  # PTHREAD_MUTEX_RECURSIVE
WORD = 4
DESTROYED = 2  # in the place of 0 or 1


def argument(frame: Frame, i: ir.Instruction, index: int) -> int:
    if index >= len(i.operands):
        raise frame.unsupported(f"a call with {len(i.operands)} arguments, which needs more")
    return frame.one(i.operands[index])


def done(frame: Frame, i: ir.Instruction, value: int = 0) -> None:
    """The result is this number, if there is one."""
    if frame.leaves(i.type):
        frame.set_one(i, frame.code.constant(value))


def spawn(frame: Frame, i: ir.Instruction, start: int, value: int) -> int:
    """Starts a thread; returns its handle."""
    code, handle = frame.code, frame.code.register()
    function = i.operands[start]
    if isinstance(function, ir.Symbol) and function.name in frame.unit.templates:
        called = frame.unit.module.functions[function.name]
        count = min(1, sum(len(frame.leaves(p.type)) for p in called.parameters))
        arguments = code.arguments((argument(frame, i, value),)[:count])
        code.emit(Opcode.SPAWN, a=handle, c=frame.unit.templates[function.name], d=arguments)
    else:
        pointer, operand = argument(frame, i, start), argument(frame, i, value)
        code.emit(Opcode.SPAWN, a=handle, b=pointer, d=code.arguments((operand,)), kind=1)
    return handle


def told(frame: Frame, handle: int) -> int:
    """A handle as programs see it: 0 is none."""
    return frame.code.binary(Binary.ADD, handle, frame.code.constant(1))


def create(frame: Frame, i: ir.Instruction) -> None:
    """The handle is stored before the thread begins, which may look at it."""
    handle = frame.code.register()
    frame.code.emit(Opcode.SELF, a=handle, kind=1)
    frame.code.store(argument(frame, i, 0), told(frame, handle), 8)
    spawn(frame, i, 2, 3)
    done(frame, i)


def _joined(frame: Frame, i: ir.Instruction) -> int:
    """The result of the thread whose handle is the first argument."""
    handle = frame.code.binary(Binary.SUB, argument(frame, i, 0), frame.code.constant(1))
    result = frame.code.register()
    frame.code.emit(Opcode.JOIN, a=result, b=handle)
    return result


def join(frame: Frame, i: ir.Instruction) -> None:
    code, target = frame.code, argument(frame, i, 1)
    result = _joined(frame, i)
    if code.known(target) != 0:
        end = code.label()
        code.jump_unless(target, end)
        code.store(target, result, 8)
        code.put(end)
    done(frame, i)


def leave(frame: Frame, i: ir.Instruction) -> None:
    value = frame.one(i.operands[0]) if i.operands else frame.code.constant(0)
    end_all(frame)
    frame.code.emit(Opcode.EXIT, b=value)
    done(frame, i)


def own(frame: Frame, i: ir.Instruction) -> None:
    result = frame.code.register()
    frame.code.emit(Opcode.SELF, a=result)
    frame.set_one(i, told(frame, result))


def equal(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, frame.code.binary(Binary.EQ, argument(frame, i, 0), argument(frame, i, 1)))


def initialise(frame: Frame, i: ir.Instruction) -> None:
    frame.code.store(argument(frame, i, 0), frame.code.constant(0), WORD)
    done(frame, i)


def on_word(opcode: Opcode) -> Callable[[Frame, ir.Instruction], None]:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        frame.code.emit(opcode, b=argument(frame, i, 0), width=WORD)
        done(frame, i)

    return emit


def try_lock(frame: Frame, i: ir.Instruction) -> None:
    taken = _try(frame, i)
    code = frame.code
    frame.set_one(i, code.select(taken, code.constant(0), code.constant(BUSY)))


def _try(frame: Frame, i: ir.Instruction) -> int:
    taken = frame.code.register()
    frame.code.emit(Opcode.TRYLOCK, a=taken, b=argument(frame, i, 0), width=WORD)
    return taken


def set_type(frame: Frame, i: ir.Instruction) -> None:
    if frame.number(i.operands[1]) == RECURSIVE:
        raise frame.unsupported("a recursive mutex", "a mutex here is locked once; count in the program")
    done(frame, i)


def mutex_destroy(frame: Frame, i: ir.Instruction) -> None:
    """Who locks it then waits forever, until it is initialised again."""
    frame.code.store(argument(frame, i, 0), frame.code.constant(DESTROYED), WORD)
    done(frame, i)


def barrier_initialise(frame: Frame, i: ir.Instruction) -> None:
    before = frame.code.load(argument(frame, i, 0), WORD, kind=Reading.COPIES)
    unset = frame.code.binary(Binary.EQ, before, frame.code.constant(0))
    frame.code.emit(Opcode.ASSERT, b=unset, c=frame.unit.message("a barrier is initialised again"))
    frame.code.store(argument(frame, i, 0), argument(frame, i, 2), WORD)
    done(frame, i)


def _wait(frame: Frame, i: ir.Instruction) -> int:
    result = frame.code.register()
    frame.code.emit(Opcode.BARRIER, a=result, b=argument(frame, i, 0), width=WORD)
    return result


def barrier_wait(frame: Frame, i: ir.Instruction) -> None:
    """One of the threads is told -1, PTHREAD_BARRIER_SERIAL_THREAD."""
    frame.set_one(i, frame.code.unary(Unary.NEG, _wait(frame, i)))


def guard_acquire(frame: Frame, i: ir.Instruction) -> None:
    """A static variable of C++ is to be initialised: 1 if by this thread. The guard's first byte says if it is done."""
    code, guard = frame.code, argument(frame, i, 0)
    mutex, result, end = code.add(guard, WORD), code.register(), code.label()
    code.emit(Opcode.LOCK, b=mutex, width=WORD)
    flag = code.load(guard, 1, Order.RLX)
    code.copy(result, code.unary(Unary.NOT, flag))
    code.jump_if(result, end)
    code.emit(Opcode.UNLOCK, b=mutex, width=WORD)
    code.put(end)
    frame.set_one(i, result)


def guard_release(frame: Frame, i: ir.Instruction) -> None:
    code, guard = frame.code, argument(frame, i, 0)
    code.store(guard, code.constant(1), 1, Order.REL)
    code.emit(Opcode.UNLOCK, b=code.add(guard, WORD), width=WORD)


def guard_abort(frame: Frame, i: ir.Instruction) -> None:
    frame.code.emit(Opcode.UNLOCK, b=frame.code.add(argument(frame, i, 0), WORD), width=WORD)


def hidden(opcode: Opcode) -> Callable[[Frame, ir.Instruction], None]:
    def emit(frame: Frame, i: ir.Instruction) -> None:
        mutex = frame.code.constant(frame.unit.hidden_mutex("__VERIFIER_atomic"))
        frame.code.emit(opcode, b=mutex, width=WORD)
        done(frame, i)

    return emit


def primitive_spawn(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, told(frame, spawn(frame, i, 0, 1)))


def primitive_join(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, _joined(frame, i))


def primitive_try(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, _try(frame, i))


def primitive_barrier(frame: Frame, i: ir.Instruction) -> None:
    frame.set_one(i, _wait(frame, i))


TABLE: dict[str, Callable[[Frame, ir.Instruction], None]] = {
    "pthread_create": create,
    "pthread_join": join,
    "pthread_exit": leave,
    "pthread_self": own,
    "pthread_equal": equal,
    "pthread_mutex_init": initialise,
    "pthread_mutex_lock": on_word(Opcode.LOCK),
    "pthread_mutex_unlock": on_word(Opcode.UNLOCK),
    "pthread_mutex_trylock": try_lock,
    "pthread_spin_init": initialise,
    "pthread_spin_lock": on_word(Opcode.LOCK),
    "pthread_spin_unlock": on_word(Opcode.UNLOCK),
    "pthread_spin_trylock": try_lock,
    "pthread_mutexattr_settype": set_type,
    **dict.fromkeys(("pthread_mutexattr_init", "pthread_mutexattr_destroy", "pthread_mutexattr_setpshared"), done),
    "pthread_barrier_init": barrier_initialise,
    "pthread_barrier_wait": barrier_wait,
    "pthread_barrier_destroy": initialise,
    "pthread_mutex_destroy": mutex_destroy,
    "__cxa_guard_acquire": guard_acquire,
    "__cxa_guard_release": guard_release,
    "__cxa_guard_abort": guard_abort,
    "__VERIFIER_atomic_begin": hidden(Opcode.LOCK),
    "__VERIFIER_atomic_end": hidden(Opcode.UNLOCK),
    "__porf_spawn": primitive_spawn,
    "__porf_join": primitive_join,
    "__porf_exit": leave,
    "__porf_lock": on_word(Opcode.LOCK),
    "__porf_unlock": on_word(Opcode.UNLOCK),
    "__porf_trylock": primitive_try,
    "__porf_barrier": primitive_barrier,
    "__porf_self": own,
}
