"""Assertions, assumptions and unknown values; ends of the program that are bugs; exceptions."""

from porf.programs.c.casts import cast
from porf.programs.c.exceptions import type_number, unwind
from porf.programs.c.library.record import ALL, Call, Emit, function
from porf.programs.form import Assumption

THROWN = "an exception is thrown"
UNKNOWN = "__VERIFIER_nondet_"
RANDOM = "random numbers (rand, ...) are the same in every execution; __VERIFIER_nondet_int() tries all of a range"
UNSIGNED = ("u", "size_t", "pthread", "loff")
WORDS = ("char", "short", "int", "long", "longlong")
NUMBERS = {
    *("bool", "_Bool", "unsigned", "size_t", "sector_t", "loff_t", "pthread_t"),
    *(sign + word for sign in ("", "u") for word in WORDS),
    *(f"unsigned_{word}" for word in WORDS[:4]),
    *(f"{sign}{bits}" for sign in "us" for bits in (8, 16, 32, 64)),
    *(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)),
}


def fail(call: Call, text: str) -> None:
    call.code.fail(call.message(text))


def fails(text: str) -> Emit:
    """An error with this message."""
    return lambda call: fail(call, text)


function("abort")(fails("abort"))
function("reach_error")(fails("reach_error"))
function("__VERIFIER_error")(fails("__VERIFIER_error"))
function("__assert_perror_fail")(fails("assert_perror"))
function("__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length")(fails(THROWN))
function("__clang_call_terminate", fixed=True)(fails("std::terminate: an exception leaves what must not throw"))
function("__porf_unwind")(unwind)
function("__dynamic_cast", gives_back=(0,))(cast)
function("llvm.eh.typeid.for")(type_number)
function("_ZSt*__throw_*", "_ZNSt3__1*__throw_*")(fails(THROWN))
function("_ZSt9terminatev")(fails("std::terminate"))
function("__cxa_pure_virtual")(fails("a pure virtual function is called"))
function("__stack_chk_fail")(fails("the stack is overwritten"))
function("llvm.trap", "llvm.debugtrap")(fails("trap"))


@function("__assert_fail", "__assert", forgets=ALL, shows=(0, 1, 2, 3))
@function("__assert_rtn", forgets=ALL, shows=(3, 0, 1, 2))
@function("__porf_fail", shows=(0,))
def fail_with_message(call: Call) -> None:
    index = call.record.shows[0]
    fail(call, (call.text(index) if index < len(call.operands) else None) or "")


@function("__porf_unsupported", shows=(0,))
def refuse(call: Call) -> None:
    raise call.unsupported(call.text(0) or "this")


@function("_wassert", forgets=ALL, shows=(0, 1, 2, 3))
def fail_with_wide_message(call: Call) -> None:
    fail(call, "")


@function("__porf_is_literal", forgets=ALL)
def is_literal(call: Call) -> int:
    return call.code.constant(int(call.text(0) is not None))


@function("__VERIFIER_assert")
def require(call: Call) -> None:
    call.code.check(call.condition(0), call.message("__VERIFIER_assert"))


@function("__VERIFIER_assume", "assume_abort_if_not", fixed=True)
@function("__CPROVER_assume", "__porf_assume")
def assume(call: Call) -> None:
    call.code.assume(call.condition(0))


@function("__porf_wait")
def wait(call: Call) -> None:
    """Until something is true; if it never is, that is a deadlock."""
    call.code.assume(call.condition(0), Assumption.AWAITED)


@function("__porf_spin_end")
def end_of_iteration(call: Call) -> None:
    """The thread waits like a loop whose iteration changes nothing, unless the iteration ends the loop."""
    call.code.assume(call.condition(0), Assumption.REPEATED)


@function(UNKNOWN + "*")
def choose(call: Call) -> int:
    """Every number of the range that the user has given, as far as the type has it."""
    kind = call.name.removeprefix(UNKNOWN)
    if kind not in NUMBERS:
        raise call.unsupported(f"a call to '{call.name}'", "the types of C's integers are supported")
    least, most = call.frame.unit.nondet
    bits = call.frame.bits(call.type)
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    if kind in ("bool", "_Bool"):
        low, high, least, most = 0, 1, 0, 1
    else:
        note = f"unknown values are all numbers from {least} to {most} that fit their type: --nondet=LO..HI"
        call.frame.unit.notes[note] = None
        low = 0 if kind.startswith(UNSIGNED) else low
    least, most = (call.code.constant(min(max(limit, low), high)) for limit in (least, most))
    return call.code.choose(least, most)


@function("__porf_note_random")
def note_random(call: Call) -> None:
    call.frame.unit.notes[RANDOM] = None
