"""Threads of POSIX, and the primitives for threads that the runtime in C is written with."""

from porf.programs.c import ir
from porf.programs.c.ends import (
    OF_QUICK_EXITS,
    end_program,
    end_thread,
    known_end,
    needs_whole_thread,
    run_at_the_end,
    whole_thread,
)
from porf.programs.c.library.record import Call, function
from porf.programs.c.lifetimes import end_all
from porf.programs.form import Binary, Callee, Handle


def spawn(call: Call, start: int, value: int) -> int:
    """Starts a thread; these arguments are its function and what that is given. Returns the handle."""
    frame, function = call.frame, call.operands[start]
    if isinstance(function, ir.Symbol) and function.name in frame.unit.templates:
        called = frame.unit.module.functions[function.name]
        count = min(1, sum(len(frame.leaves(p.type)) for p in called.parameters))
        return call.code.spawn(whole_thread(frame, called, count), [call.argument(value)][:count])
    if needs_whole_thread(frame):
        return call.code.spawn(whole_thread(frame), [call.argument(value), call.argument(start)])
    return call.code.spawn(call.argument(start), [call.argument(value)], Callee.POINTER)


def as_seen(call: Call, handle: int) -> int:
    """A handle as programs see it: 0 is no thread."""
    return call.code.binary(Binary.ADD, handle, call.code.constant(1))


@function("pthread_create", forgets=(0, 1))
def create(call: Call) -> None:
    """The handle is stored before the thread begins, which may look at it."""
    handle = call.code.this_thread(Handle.NEXT)
    call.code.store(call.argument(0), as_seen(call, handle), 8)
    spawn(call, 2, 3)


@function("__porf_spawn")
def primitive_spawn(call: Call) -> int:
    return as_seen(call, spawn(call, 0, 1))


@function("__porf_join")
def primitive_join(call: Call) -> int:
    return call.code.join(call.code.binary(Binary.SUB, call.argument(0), call.code.constant(1)))


@function("pthread_join", forgets=(1,))
def join(call: Call) -> None:
    code, target = call.code, call.argument(1)
    result = primitive_join(call)
    if code.known(target) != 0:
        end = code.label()
        code.jump_unless(target, end)
        code.store(target, result, 8)
        code.put(end)


@function("_exit", "_Exit")
def leave(call: Call) -> None:
    """Also of the whole program: what other threads do after that is explored, too."""
    value = call.argument(0) if call.operands else call.code.constant(0)
    end_all(call.frame)
    call.code.exit(value)


@function("pthread_exit", "__porf_exit")
def leave_thread(call: Call) -> None:
    end_thread(call.frame)
    leave(call)


@function("exit")
def leave_program(call: Call) -> None:
    end_program(call.frame)
    leave(call)


function("__porf_known_end", forgets=(1,))(known_end)


@function("__porf_hand_to", hands_to=(0, 1))
def hand_to(call: Call) -> int:
    return call.argument(1)


@function("quick_exit")
def leave_quickly(call: Call) -> None:
    run_at_the_end(call.frame, OF_QUICK_EXITS)
    leave(call)


@function("pthread_self", "__porf_self")
def own(call: Call) -> int:
    return as_seen(call, call.code.this_thread())


@function("pthread_equal")
def equal(call: Call) -> int:
    return call.code.binary(Binary.EQ, call.argument(0), call.argument(1))
