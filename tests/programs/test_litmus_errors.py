"""Bad litmus tests: each error says what is wrong, points at the place, and often at a way out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porf.errors import ProgramError
from porf.programs.litmus import read_litmus

THREAD = "C T\n{}\nP0 (atomic_int* x, int* y) { # }\n"
FINAL = "C T\n{ int a[2]; mutex m; }\nP0 (atomic_int* x) { int r0 = 1, r1 = 2; }\n#"


def error(text: str) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        read_litmus(text, "t.litmus")
    found = caught.value
    assert found.source == "t.litmus" and found.line is not None and found.column is not None and found.text is not None
    return found


def underlined(found: ProgramError) -> str:
    """What the caret is under."""
    assert found.text is not None and found.column is not None
    return found.text[found.column - 1 : found.column - 1 + found.width]


@pytest.mark.parametrize(
    ("text", "message", "where"),
    [
        ("", "begins with its dialect", ""),
        ("hello", "begins with its dialect", "h"),
        ("MIPS SB\n{}\nP0;\n", "litmus test for MIPS; only C", "MIPS"),
        ("C T\n", "initial state { … } is missing", ""),
        ("C T\nP0 (int* x) {}\n", "initial state { … } is missing", "P"),
        ("C T\n{ x = 1;", "the initial state is never closed", "{"),
        ("C T\n{ x 1; }", "expected ';'", "1"),
        ("C T\n{ x = 1; x = 2; }", "already in the initial state", "x"),
        ("C T\n{ int a[2] = {1, 2, 3}; }", "3 values for 2 elements", "{"),
        ("C T\n{ int a[]; }", "has no length", "a"),
        ("C T\n{ float f; }", "floating-point numbers are not supported", "float"),
        ("C T\n{ 1:r = 1; }\nP0 () {}", "there is no thread 1", "r"),
        ("C T\n{ void 0:r = 1; }\nP0 () {}", "a register holds a number or an address", "r"),
        ("C T\n{}", "expected a thread", ""),
        ("C T\n{}\nexists (x=1)", "expected a thread", "exists"),
        ("C T (* no end\n{}\nP0 () {}", "this comment is never closed", "(*"),
        ("C T\n{}\nP0 () { /* no end }", "this comment is never closed", "/*"),
        ("C T\n{}\nP1 () {}", "this thread is P0, not P1", "P1"),
        ("C T\n{}\nP0 (int x) {}", "a parameter is a pointer", "x"),
        ("C T\n{}\nP0 (int* x, int* x) {}", "two parameters", "x"),
        ("C T\n{}\nP0 (int* x) {\nP1 () {}", "this '{' is never closed", "{"),
        ("C T\n{}\nP0 (int* x) {\nexists (x=1)", "this '{' is never closed", "{"),
        ("C T\n{}\nP0 (int* x) int r;", "expected '{' before the code of P0", "int"),
        ("C T\n{}\nP0 (int* x) {}}", "expected exists, ~exists or forall", "}"),
        ("C T\n{ long x; }\nP0 (int* x) {}", "'x' is long elsewhere, but int here", "x"),
    ],
)
def test_parts(text: str, message: str, where: str) -> None:
    found = error(text)
    assert message in found.message
    assert underlined(found) == where


@pytest.mark.parametrize(
    ("code", "message", "where", "hint"),
    [
        ("int r = z;", "P0 has no variable 'z'", "z", "declare it"),
        ("count = 1;", "P0 has no variable 'count'", "count", "declare it"),
        ("int abc = 1; abd = 2;", "P0 has no variable 'abd'", "abd", "did you mean 'abc'?"),
        ("int r; int s = r;", "'r' is used before it is set", "r", "on every path"),
        ("int r = r;", "'r' is used before it is set", "r", ""),
        ("int r; if (*y) r = 1; *y = r;", "'r' is used before it is set", "r", ""),
        ("int r; while (*y) r = 1; *y = r;", "'r' is used before it is set", "r", ""),
        ("int r; *y && (r = 1); *y = r;", "'r' is used before it is set", "r", ""),
        ("int r; while (1) { if (*y) break; r = 1; } *y = r;", "'r' is used before it is set", "r", ""),
        ("int e; atomic_compare_exchange_strong(x, &e, 1);", "'e' is used before it is set", "e", ""),
        ("int r = x;", "a number is needed here, not a pointer", "x", "write *x"),
        ("x = 1;", "'x' is a pointer to a shared location", "x", "write *x"),
        ("int x = 1;", "'x' is a parameter already", "x", "another name"),
        ("int r = 1; { int r = 2; }", "'r' is declared already", "r", "another name"),
        ("int r = atomic_laod(x);", "the function 'atomic_laod' is not known", "atomic_laod", "'atomic_load'"),
        ("atomic_load(x, y);", "atomic_load takes 1 argument, not 2", "atomic_load", ""),
        ("smp_mb(1);", "smp_mb takes no arguments, not 1", "smp_mb", ""),
        ("atomic_load(&x);", "'x' is already a pointer", "&x", "write x"),
        ("atomic_load(*x);", "needs a pointer to a shared location, not atomic_int", "*", "not *x"),
        ("int r = READ_ONCE(y);", "needs a shared location, not a pointer", "y", "READ_ONCE(*x)"),
        ("int r = atomic_store(x, 1);", "atomic_store gives no value", "atomic_store", ""),
        ("if (smp_mb()) {}", "smp_mb gives no value", "smp_mb", ""),
        ("lock(y);", "lock needs a mutex, not int", "y", "pthread_mutex_t"),
        ("int r = 1 int s;", "expected ';' after the declaration", "int", ""),
        ("int r = (1;", "expected ')'", ";", ""),
        ("foo_t r;", "expected ';'", "r", "'foo_t'"),
        ("int r = 08;", "not an octal number", "08", ""),
        ("int r = 1.5;", "this number cannot be read", "1", "integers"),
        (f"int r = {'9' * 5000};", "more than 64 bits", "9" * 5000, ""),
        ("int r = 'a';", "characters are not supported", "'", ""),
        ("#include <x.h>", "no preprocessor", "#", ""),
        ("int a[3];", "cannot have its own arrays", "a", "initial state"),
        ("mutex m;", "cannot have its own mutex", "m", "shared location"),
        ("struct s* p;", "structures are not supported", "struct", "types are int"),
        ("int r = y->f;", "structures are not supported", "->", ""),
        ("int* p = 5;", "a pointer is needed here", "5", ""),
        ("int r = x * 2;", "makes no sense with a pointer", "*", "write *x"),
        ("break;", "'break' is not inside a loop", "break", ""),
        ("return 5;", "a thread returns nothing", "5", ""),
        ("goto end;", "jumps are not supported", "goto", ""),
        ("switch (1) {}", "switch is not supported", "switch", ""),
        ("1 = 2;", "cannot be assigned to", "=", ""),
        ("int r = &r;", "no address", "&", ""),
        ("*x *= 2;", "'*=' of an atomic location", "*", "atomic_compare_exchange_weak"),
        ("else {}", "this else follows no if", "else", ""),
        ("@", "'@' means nothing", "@", ""),
    ],
)
def test_code(code: str, message: str, where: str, hint: str) -> None:
    found = error(THREAD.replace("#", code))
    assert message in found.message
    assert underlined(found) == where
    assert hint in (found.hint or "")


@pytest.mark.parametrize(
    ("call", "message", "order"),
    [
        ("atomic_load_explicit(x, #)", "a load cannot be", "release"),
        ("atomic_load_explicit(x, #)", "a load cannot be", "acq_rel"),
        ("atomic_store_explicit(x, 1, #)", "a store cannot be", "acquire"),
        ("atomic_store_explicit(x, 1, #)", "a store cannot be", "consume"),
        ("atomic_store_explicit(x, 1, #)", "a store cannot be", "acq_rel"),
        (
            "atomic_compare_exchange_weak_explicit(x, y, 1, memory_order_release, #)",
            "a compare-exchange that fails cannot be",
            "release",
        ),
        ("atomic_load_explicit(x, #)", "not a memory order", "acquir"),
    ],
)
def test_orders_that_an_operation_cannot_have(call: str, message: str, order: str) -> None:
    name = f"memory_order_{order}"
    found = error(THREAD.replace("#", call.replace("#", name) + ";"))
    assert message in found.message
    assert underlined(found) == name
    assert "memory_order_" in (found.hint or "")


@pytest.mark.parametrize(
    ("final", "message", "where", "hint"),
    [
        ("exists (0:r2=1)", "P0 has no register 'r2'", "r2", "r0, r1"),
        ("exists (0:x=1)", "P0 has no register 'x'", "x", "[x]"),
        ("exists (1:r0=1)", "there is no thread 1", "1", "P0"),
        ("exists (r0=1)", "there is no location 'r0'", "r0", "0:r0"),
        ("exists (z=1)", "there is no location 'z'", "z", ""),
        ("exists (x=z)", "there is no location 'z'", "z", ""),
        ("exists (x=1", "expected ')'", "", ""),
        ("exists", "expected a register or a location", "", ""),
        ("exists x", "expected '=' or '!='", "", ""),
        ("exists (x=1) 2", "expected the end of the file", "2", ""),
        ("~forall x=1", "expected exists, ~exists or forall", "forall", ""),
        ("whenever x=1", "expected exists, ~exists or forall", "whenever", ""),
        ("exists a=1", "'a' is an array", "a", "a[0]"),
        ("exists a[2]=1", "'a' has no element 2", "a", ""),
        ("exists x[0]=1", "'x' is not an array", "x", ""),
        ("exists m=1", "'m' is a mutex", "m", ""),
        ("locations [x y]", "expected ';' or ']'", "y", ""),
        ("locations [7]", "expected a register or a location", "7", ""),
    ],
)
def test_final_conditions(final: str, message: str, where: str, hint: str) -> None:
    found = error(FINAL.replace("#", final))
    assert message in found.message
    assert underlined(found) == where
    assert hint in (found.hint or "")


@pytest.mark.parametrize(
    "code",
    [
        "int r; if (*y) r = 1; else r = 2; *y = r;",
        "int r; if (*y) r = 1; else return; *y = r;",
        "int r; while (1) { r = 1; if (*y) break; } *y = r;",
        "int r; do { r = *y; } while (r); *y = r;",
        "int r; for (r = 0; r < 3; r++) {} *y = r;",
        "int r; if (*y && (r = *y)) *y = r;",
        "int r; if (!(*y || !(r = *y))) *y = r;",
        "int r; *y ? (r = 1) : (r = 2); *y = r;",
        "int r; while (1) {} *y = r;",
        "for (int i = 0; i < 2; i++) { int r; if (i) continue; r = 1; *y = r; }",
    ],
)
def test_variables_that_are_set_on_every_way(code: str) -> None:
    read_litmus(THREAD.replace("#", code))


def test_deep_nesting_is_an_error_too() -> None:
    assert "nested too deeply" in error(THREAD.replace("#", f"int r = {'(' * 20000}1{')' * 20000};")).message
    assert "nested too deeply" in error(FINAL.replace("#", "exists " + "(" * 20000)).message


PIECES = r"""C T { } ( ) [ ] ; , : = == != /\ \/ ~ exists forall locations filter P0 P1 x y r0 0 1 0x2 int atomic_int *
    & && ++ -- + - if else while for do break return atomic_load atomic_store memory_order_relaxed (* *) /* */ //
    ? " ' # @ . -> lock mutex _Atomic unsigned long void NULL"""
WHOLE = """C T
{ x = 1; int a[2] = {1, 2}; int* p = &x; 0:r5 = x; }
P0 (atomic_int* x, int* y, int* a) {
  int r0 = atomic_load_explicit(x, memory_order_acquire), e = 0;
  while (r0 < 3 && !atomic_compare_exchange_weak(x, &e, r0 + 1)) { r0 += *y ? a[1] : 2; }
  if (r0) (*y)++; else atomic_thread_fence(memory_order_seq_cst);
}
P1 (int** p) { for (int i = 0; i < 2; i++) { **p = i; } }
locations [0:r0; a[1];]
~exists (0:r0=1 /\\ ([x]=2 \\/ not 0:e != 0))
"""


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_whatever_the_text_no_other_error_comes(data: st.DataObject) -> None:
    """A good test with some words replaced, left out or put in."""
    words = WHOLE.split(" ")
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(words) - 1))
        new = data.draw(st.lists(st.sampled_from(PIECES.split()), max_size=3))
        words[at : at + data.draw(st.integers(0, 2))] = new
    try:
        read_litmus(" ".join(words))
    except ProgramError as found:
        assert str(found)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["", "C T {} P0 (int* x) {"]), st.text() | st.lists(st.sampled_from(PIECES.split())).map(" ".join)
)
def test_arbitrary_text(beginning: str, rest: str) -> None:
    try:
        read_litmus(beginning + rest)
    except ProgramError as found:
        assert str(found)


def test_the_good_test_is_good() -> None:
    assert read_litmus(WHOLE).quantifier == "~exists"
