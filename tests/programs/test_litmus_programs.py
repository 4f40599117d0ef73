"""Litmus tests mean what C and herd say: the reference interpreter runs them, and their final states are compared."""

from __future__ import annotations

import pytest

from porf.execution import Order
from porf.programs.form import Instruction, Opcode
from porf.programs.litmus import observe, read_litmus
from tests.programs.interleavings import run


def states(text: str) -> list[dict[str, int | str]]:
    """The final states of a test, as a person would see them."""
    test = read_litmus(text)
    found = observe(test, dict.fromkeys(run(test.program).states, 1)).record()["states"]
    assert isinstance(found, list)
    return found


def results(code: str, init: str = "", parameters: str = "int* x", watch: str = "0:r") -> list[tuple[int | str, ...]]:
    """What a single thread leaves in the registers and locations that are watched."""
    text = f"C test\n{{ {init} }}\nP0 ({parameters}) {{ {code} }}\nlocations [{watch}]"
    return sorted(tuple(state.values()) for state in states(text))


def events(text: str, thread: int = 0) -> list[Instruction]:
    """The instructions of a thread that others can see."""
    program = read_litmus(text).program
    code = program.templates[program.starts[thread].template].code
    return [i for i in code if i.opcode >= Opcode.LOAD]


def test_message_passing() -> None:
    text = r"""C MP
    { x = 0; [y] = 0; }
    P0 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); atomic_store(y, 1); }
    P1 (atomic_int* x, atomic_int* y) { int r0 = atomic_load(y); int r1 = atomic_load(x); }
    exists (1:r0=1 /\ 1:r1=0)"""
    assert states(text) == [{"1:r0": 0, "1:r1": 0}, {"1:r0": 0, "1:r1": 1}, {"1:r0": 1, "1:r1": 1}]


def test_final_memory_is_read_by_an_observer_that_joins() -> None:
    text = "C W\n{}\nP0 (atomic_int* x) { atomic_store(x, 1); }\nP1 (atomic_int* x) { atomic_store(x, 2); }\nexists x=2"
    program = read_litmus(text).program
    assert [start.name for start in program.starts] == ["P0", "P1", "observer"]
    observer = events(text, 2)
    assert [i.opcode for i in observer] == [Opcode.JOIN, Opcode.JOIN, Opcode.LOAD]
    assert observer[2].order == Order.RLX
    assert [w.label for w in program.watched] == ["x"]
    assert states(text) == [{"x": 1}, {"x": 2}]


def test_no_observer_without_memory() -> None:
    test = read_litmus("C R\n{}\nP0 (int* x) { int r0 = *x; }\nexists 0:r0=0")
    assert [start.name for start in test.program.starts] == ["P0"]
    assert [w.label for w in test.program.watched] == ["0:r0"]


def test_registers_are_watched_before_memory_in_natural_order() -> None:
    threads = "P0 (int* y, int* x) { int r10 = 1, r2 = 2; }\nP1 (int* x) { int a = 3; }"
    text = f"C O\n{{}}\n{threads}\nlocations [y; 1:a; x; 0:r10; 0:r2]"
    assert [w.label for w in read_litmus(text).program.watched] == ["0:r2", "0:r10", "1:a", "x", "y"]


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("int r = 1 + 2 * 3;", 7),
        ("int r = (1 + 2) * 3;", 9),
        ("int r = 7 / 2 - 7 % 4;", 0),
        ("int r = -7 / 2;", -3),
        ("int r = -7 % 4;", -3),
        ("int r = 1 << 3 | 1;", 9),
        ("int r = 5 & 3 ^ 1;", 0),
        ("int r = 1 | 2 == 2;", 1),
        ("int r = 10 - 3 - 2;", 5),
        ("int r = 1 < 2 == 1;", 1),
        ("int r = !0 + !5;", 1),
        ("int r = ~5;", -6),
        ("int r = 0 || 3;", 1),
        ("int r = 2 && 0;", 0),
        ("int r = 1 ? 2 : 3;", 2),
        ("int r = 0 ? 2 : 0 ? 3 : 4;", 4),
        ("int r = 2147483647; r++;", -2147483648),
        ("unsigned r = 0; r--;", 4294967295),
        ("int r = 0x7fffffff + 1;", -2147483648),
        ("unsigned char r = 255; r += 2;", 1),
        ("char r = 127; ++r;", -128),
        ("long r = 2147483647; r = r + 1;", 2147483648),
        ("long r = 1L << 40;", 2**40),
        ("int r = (char)300;", 44),
        ("int r = (unsigned char)-1;", 255),
        ("bool r = 7;", 1),
        ("int r = (bool)256 + 1;", 2),
        ("int r = -1 < 1u;", 0),
        ("int r = -1L < 1u;", 1),
        ("int r = 18446744073709551615UL > 1;", 1),
        ("unsigned long r = 18446744073709551615UL / 2;", 2**63 - 1),
        ("unsigned r = -1; r >>= 31;", 1),
        ("int r = -1; r >>= 31;", -1),
        ("int r = 010 + 0x10;", 24),
        ("int a = 5; int r = a++ + a;", 11),
        ("int a = 5; int r = a-- - --a;", 2),
        ("int a, r; a = r = 4;", 4),
        ("int r = 1; r *= 5; r -= 1; r /= 2; r <<= 3; r |= 1; r ^= 3; r %= 7; r &= 6;", 4),
        ("int r = (1, 2, 3);", 3),
        ("int r = 0; if (1) r = 1; else r = 2;", 1),
        ("int r = 0; if (r) { r = 1; } else if (!r) { r = 3; }", 3),
        ("int r = 0; while (r < 5) r++;", 5),
        ("int r = 0; do { r += 3; } while (r < 5);", 6),
        ("int r = 0; for (int i = 0; i < 4; i++) r += i;", 6),
        ("int r = 0; for (int i = 0; i < 2; i++) {} for (int i = 5; i < 8; i++) r += i;", 18),
        ("int r = 0; for (int i = 0; ; i++) { if (i == 2) continue; if (i == 4) break; r += i; }", 4),
        ("int r = 0; while (1) { r++; if (r > 2) break; }", 3),
        ("int r = 0; while (r < 9) { r++; if (r < 4) continue; break; }", 4),
        ("int r = 0; do { if (r == 3) break; r++; continue; } while (r < 9);", 3),
        ("int r = 1; return; r = 2;", 1),
        ("int r = 0; for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) { if (j > i) break; r++; }", 6),
        ("int r; if (0) r = 1;", 0),  # never set: 0 in the final state
        ("if (1) { int r = 5; } else { int r = 6; }", 5),
    ],
)
def test_code(code: str, value: int) -> None:
    assert results(code) == [(value,)]


def test_a_variable_is_read_before_the_assignment_sets_it() -> None:
    assert results("int r = 3; int b = 0; r = b || r == 3;") == [(1,)]
    assert results("int r = 3; r = r == 3 ? r + 1 : 0;") == [(4,)]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("*x = 3; int r = *x;", (3, 3)),
        ("*x = 3; int r = (*x)++;", (3, 4)),
        ("*x = 3; int r = ++*x;", (4, 4)),
        ("*x = 3; int r = *x += 4;", (7, 7)),
        ("*x = 300; int r = *x = 301;", (301, 301)),
        ("int* p = x; *p = 6; int r = *p + *x;", (12, 6)),
        ("int r = (*x == 0) + (* x == 0);", (2, 0)),
        ("int r = *(x + (1 ^ 1));", (0, 0)),
        ("int r = x == &*x;", (1, 0)),
    ],
)
@pytest.mark.parametrize("kind", ["int*", "atomic_int*", "volatile int*", "_Atomic int *", "_Atomic(int)*"])
def test_plain_accesses(kind: str, code: str, found: tuple[int, int]) -> None:
    assert results(code.replace("int* p", f"{kind} p"), parameters=f"{kind} x", watch="0:r; x") == [found]


def test_plain_accesses_of_atomic_locations_are_seq_cst_and_one_step() -> None:
    def orders(kind: str) -> list[tuple[Opcode, Order]]:
        text = f"C A\n{{}}\nP0 ({kind} x) {{ *x = 1; *x += 2; int r = *x; }}"
        return [(i.opcode, i.order) for i in events(text)]

    plain = [Opcode.STORE, Opcode.LOAD, Opcode.STORE, Opcode.LOAD]
    assert orders("int*") == [(opcode, Order.NA) for opcode in plain]
    assert orders("atomic_int*") == [(opcode, Order.SC) for opcode in (Opcode.STORE, Opcode.RMW, Opcode.LOAD)]


@pytest.mark.parametrize(
    ("name", "value"),
    [("exchange", 12), ("fetch_add", 22), ("fetch_sub", -2), ("fetch_or", 14), ("fetch_and", 8), ("fetch_xor", 6)],
)
def test_updates(name: str, value: int) -> None:
    assert results(f"int r = atomic_{name}(x, 12);", "x = 10", "atomic_int* x", "0:r; x") == [(10, value)]
    explicit = f"int r = atomic_{name}_explicit(x, 12, memory_order_relaxed);"
    assert results(explicit, "x = 10", "atomic_int* x", "0:r; x") == [(10, value)]


def test_compare_exchange_writes_back_what_it_found() -> None:
    code = "int e = 1, r = atomic_compare_exchange_strong(x, &e, 5);"
    assert results(code, "x = 1", "atomic_int* x", "0:e; 0:r; x") == [(1, 1, 5)]
    assert results(code, "x = 2", "atomic_int* x", "0:e; 0:r; x") == [(2, 0, 2)]
    weak = code.replace("strong", "weak")
    assert results(weak, "x = 1", "atomic_int* x", "0:e; 0:r; x") == [(1, 0, 1), (1, 1, 5)]
    shared = "int r = atomic_compare_exchange_strong_explicit(x, e, 5, memory_order_acq_rel, memory_order_relaxed);"
    assert results(shared, "x = 1; e = 1", "atomic_int* x, int* e", "0:r; e; x") == [(1, 1, 5)]
    assert results(shared, "x = 2; e = 1", "atomic_int* x, int* e", "0:r; e; x") == [(0, 2, 2)]


def test_compare_exchange_may_set_the_variable_it_compares_with() -> None:
    code = "int r = 1; r = atomic_compare_exchange_strong(x, &r, 5);"
    assert results(code, "x = 2", "atomic_int* x", "0:r; x") == [(0, 2)]


def test_orders() -> None:
    text = """C O
    {}
    P0 (atomic_int* x) {
      int r0 = atomic_load_explicit(x, memory_order_consume);
      atomic_store_explicit(x, 1, memory_order_release);
      int e = 0;
      atomic_compare_exchange_weak_explicit(x, &e, 1, memory_order_acq_rel, memory_order_acquire);
      atomic_thread_fence(memory_order_relaxed);
      atomic_thread_fence(memory_order_acq_rel);
      atomic_fetch_add(x, 1);
      atomic_init(x, 0);
    }"""
    assert [(i.opcode, i.order, i.failure, i.weak) for i in events(text)] == [
        (Opcode.LOAD, Order.ACQ, Order.NA, False),
        (Opcode.STORE, Order.REL, Order.NA, False),
        (Opcode.CAS, Order.ACQ_REL, Order.ACQ, True),
        (Opcode.FENCE, Order.ACQ_REL, Order.NA, False),  # the relaxed fence is none
        (Opcode.RMW, Order.SC, Order.NA, False),
        (Opcode.STORE, Order.NA, Order.NA, False),
    ]


def test_linux_names() -> None:
    text = """C MP+pooncerelease+poacquireonce
    {}
    P0 (int *x, int *y) { WRITE_ONCE(*x, 1); smp_wmb(); smp_store_release(y, 1); smp_mb(); }
    P1 (int *x, int *y) { int r0; r0 = smp_load_acquire(y); smp_rmb(); int r1 = READ_ONCE(*x); }
    exists (1:r0=1 /\\ 1:r1=0)"""
    assert [i.order for i in events(text)] == [Order.RLX, Order.REL, Order.REL, Order.SC]
    assert [i.order for i in events(text, 1)] == [Order.ACQ, Order.ACQ, Order.RLX]


@pytest.mark.parametrize(
    ("kind", "lock", "unlock"),
    [
        ("pthread_mutex_t", "pthread_mutex_lock(m)", "pthread_mutex_unlock(m)"),
        ("pthread_mutex_t", "pthread_mutex_lock(&m)", "pthread_mutex_unlock(&m)"),
        ("mtx_t", "mtx_lock(m)", "mtx_unlock(m)"),
        ("spinlock_t", "spin_lock(m)", "spin_unlock(m)"),
        ("mutex", "lock(m)", "unlock(m)"),
    ],
)
def test_mutexes(kind: str, lock: str, unlock: str) -> None:
    def test(before: str, after: str) -> str:
        threads = [f"P{n} ({kind}* m, int* x) {{ {before}; *x = *x + 1; {after}; }}\n" for n in range(2)]
        return "C M\n{}\n" + "".join(threads) + "forall x=2"

    assert states(test(lock, unlock)) == [{"x": 2}]
    assert states(test("0", "0")) == [{"x": 1}, {"x": 2}]


def test_trylock_is_told_apart_by_its_library() -> None:
    assert results("int r = pthread_mutex_trylock(m);", "", "pthread_mutex_t* m") == [(0,)]
    assert results("int r = spin_trylock(m);", "", "spinlock_t* m") == [(1,)]


def test_spinning_and_assume() -> None:
    text = """C S
    {}
    P0 (atomic_int* x) { while (!atomic_load(x)); int r0 = 1; }
    P1 (atomic_int* x, atomic_int* y) { atomic_store(x, 1); int r0 = atomic_load(y); assume(r0 == 0); }
    locations [0:r0; x]"""
    assert states(text) == [{"0:r0": 1, "x": 1}]
    code = read_litmus(text).program.templates[0].code
    assert [i.opcode for i in code if i.opcode in (Opcode.HEAD, Opcode.BACK)] == [Opcode.HEAD, Opcode.BACK]


def test_assertions() -> None:
    test = read_litmus("C A\n{ x = 1; }\nP0 (int* x) { assert(*x == 1); assert(*x  == (2)); }")
    assert run(test.program).errors == {"P0: assertion failed: assert(*x == (2))"}


def test_initial_state() -> None:
    init = (
        "x=1; [y]=-2; int z; atomic_int w=3; int* p = &x; q = y; 0:r=x; int a[4]={1,2,3}; long l = 5, m; char c = 300"
    )
    code = "int s = *r + **p + **q;"
    parameters = "int* x, int* y, int* z, atomic_int* w, int** p, int** q, int* a, long* l, char* c"
    watch = "0:r; 0:s; x; y; z; w; p; q; a[0]; a[2]; a[3]; l; m; c"
    test = read_litmus(f"C I\n{{ {init} }}\nP0 ({parameters}) {{ {code} }}\nlocations [{watch}]")
    [state] = observe(test, dict.fromkeys(run(test.program).states, 1)).record()["states"]
    assert state == {
        "0:r": "x", "0:s": 0, "x": 1, "y": -2, "z": 0, "w": 3, "p": "x", "q": "y",
        "a[0]": 1, "a[2]": 3, "a[3]": 0, "l": 5, "m": 0, "c": 44,
    }  # fmt: skip
    assert [o.size for o in test.program.objects] == [4, 4, 4, 4, 8, 8, 16, 8, 8, 1]


def test_arrays_and_addresses() -> None:
    code = "int s = 0; for (int i = 0; i < 4; i++) s += a[i]; int *p = &a[3], d = p - a, r; p[-1] = 9; r = a[2];"
    assert results(code, "int a[4] = {1, 2, 3, 4}", "int a[]", "0:s; 0:d; 0:r; a[2]") == [(3, 9, 10, 9)]
    assert results("a[1] = 7; int r = a[1];", "", "int a[2]", "0:r; a[1]") == [(7, 7)]


def test_a_register_may_point_to_what_nobody_else_mentions() -> None:
    assert results("*r = 4; int s = *r;", "0:r = z", "", "0:r; 0:s; z") == [("z", 4, 4)]


def test_addresses_in_conditions() -> None:
    text = """C MP+onceassign+derefonce
    { int *p=&z; int x=0; }
    P0 (int *x, int **p) { WRITE_ONCE(*x, 1); rcu_assign_pointer(*p, x); }
    P1 (int **p) { int *r0; int r1; r0 = rcu_dereference(*p); r1 = READ_ONCE(*r0); }
    exists (1:r0=x /\\ 1:r1=0)"""
    assert states(text) == [{"1:r0": "x", "1:r1": 1}, {"1:r0": "z", "1:r1": 0}]
    assert observe(read_litmus(text), dict.fromkeys(run(read_litmus(text).program).states, 1)).observation == "Never"


def test_header_and_comments() -> None:
    text = """(* first (* nested *) *)
C name+with.signs
"a title"
Cycle=Rfe {in} PodWW
Prefetch=0:x=F
// a line
(* herd's own *)
{ (* here *) x = 1; /* and
here */ }
void P0 (int* x) { // why
  int r = (*x); (* a comment in code *) int s = (* x); int t = (*x) * (*x); }
static void P1 (void) {}
exists (0:r=1 (* last *) /\\ 0:s=1)
"""
    test = read_litmus(text)
    assert test.name == "name+with.signs"
    assert run(test.program).states == {(1, 1)}


def test_places_are_those_of_the_text() -> None:
    text = "C P\n{}\nP0 (atomic_int* x) {\n  int r0 = atomic_load(x);\n  *x = 1;\n}\n"
    program = read_litmus(text, "p.litmus").program
    places = [i.place for i in program.templates[0].code if i.opcode >= Opcode.LOAD]
    assert [(p.file, p.line, p.column) for p in places if p] == [("p.litmus", 4, 12), ("p.litmus", 5, 3)]
    assert program.source == "p.litmus"
    assert program.templates[0].names == {0: "r0"}


def test_a_local_is_set_by_its_instruction_alone() -> None:
    code = (
        read_litmus("C L\n{}\nP0 (atomic_int* x) { int r0 = atomic_load(x); r0 = r0 + 1; }").program.templates[0].code
    )
    assert [i.opcode for i in code] == [Opcode.LOAD, Opcode.BINARY, Opcode.EXIT]
