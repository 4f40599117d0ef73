"""Tests of the Linux kernel under its model: what its documentation says of classical ones, locks, RCU and races."""

from __future__ import annotations

import pytest

import porf
from porf.errors import ProgramError
from porf.programs.litmus import read_litmus


def threads(*code: str, condition: str, init: str = "") -> str:
    """A test whose threads share x, y and z, a lock l, an atomic a and an SRCU structure s."""
    shared = "int *x, int *y, int *z, spinlock_t *l, atomic_t *a, struct srcu_struct *s"
    processes = "\n".join(f"P{n}({shared})\n{{\n{body}\n}}" for n, body in enumerate(code))
    return f"C test\n\n{{{init}}}\n\n{processes}\n\nexists ({condition})\n"


def mp(between: str, after: str, write: str = "WRITE_ONCE(*y, 1);", read: str = "r0 = READ_ONCE(*y);") -> str:
    return threads(
        f"WRITE_ONCE(*x, 1); {between} {write}",
        f"int r0; int r1; {read} {after} r1 = READ_ONCE(*x);",
        condition="1:r0=1 /\\ 1:r1=0",
    )


def sb(first: str, second: str) -> str:
    return threads(
        f"int r0; WRITE_ONCE(*x, 1); {first} r0 = READ_ONCE(*y);",
        f"int r0; WRITE_ONCE(*y, 1); {second} r0 = READ_ONCE(*x);",
        condition="0:r0=0 /\\ 1:r0=0",
    )


RCU_READER = "int r0; int r1; {} r0 = READ_ONCE(*x); {} r1 = READ_ONCE(*y); {}"
RCU_WRITER = "WRITE_ONCE(*y, 1); synchronize_rcu(); WRITE_ONCE(*x, 1);"
CASES = {
    "mp": (mp("", ""), "Sometimes"),
    "mp+wmb+rmb": (mp("smp_wmb();", "smp_rmb();"), "Never"),
    "mp+rmb+rmb": (mp("smp_rmb();", "smp_rmb();"), "Sometimes"),
    "mp+rel+acq": (mp("", "", "smp_store_release(y, 1);", "r0 = smp_load_acquire(y);"), "Never"),
    "mp+rel": (mp("", "", "smp_store_release(y, 1);"), "Sometimes"),
    "sb": (sb("", ""), "Sometimes"),
    "sb+mbs": (sb("smp_mb();", "smp_mb();"), "Never"),
    "sb+wmb": (sb("smp_wmb();", "smp_mb();"), "Sometimes"),
    "sb+full rmws": (sb("xchg(z, 1);", "atomic_add_return(1, a);"), "Never"),
    "sb+relaxed rmw": (sb("xchg_relaxed(z, 1);", "smp_mb();"), "Sometimes"),
    "sb+before atomic": (sb("smp_mb__before_atomic(); atomic_inc(a);", "smp_mb();"), "Never"),
    "sb+after atomic": (sb("atomic_inc(a); smp_mb__after_atomic();", "smp_mb();"), "Never"),
    "sb+void atomic": (sb("atomic_inc(a);", "smp_mb();"), "Sometimes"),
    "sb+cmpxchg that succeeds": (sb("cmpxchg(z, 0, 1);", "smp_mb();"), "Never"),
    "sb+cmpxchg that fails": (sb("cmpxchg(z, 7, 1);", "smp_mb();"), "Sometimes"),
    "lb": (
        threads(
            "int r0; r0 = READ_ONCE(*x); WRITE_ONCE(*y, 1);",
            "int r0; r0 = READ_ONCE(*y); WRITE_ONCE(*x, 1);",
            condition="0:r0=1 /\\ 1:r0=1",
        ),
        "Sometimes",
    ),
    "lb+ctrl+data": (
        threads(
            "int r0; r0 = READ_ONCE(*x); if (r0 == 1) WRITE_ONCE(*y, 1);",
            "int r0; r0 = READ_ONCE(*y); WRITE_ONCE(*x, r0);",
            condition="0:r0=1 /\\ 1:r0=1",
        ),
        "Never",
    ),
    "lb+ctrl+ctrl, in the arms": (
        threads(
            "int r0; r0 = READ_ONCE(*x); if (r0 == 1) WRITE_ONCE(*y, 1);",
            "int r0; r0 = READ_ONCE(*y); if (r0 != 0) { if (r0 == 1) { } WRITE_ONCE(*x, 1); }",
            condition="0:r0=1 /\\ 1:r0=1",
        ),
        "Never",
    ),
    "lb+ctrl+ctrl, behind an if": (
        threads(
            "int r0; r0 = READ_ONCE(*x); if (r0 == 1) WRITE_ONCE(*y, 1);",
            "int r0; r0 = READ_ONCE(*y); if (r0 == 1) WRITE_ONCE(*z, 1); WRITE_ONCE(*x, 1);",
            condition="0:r0=1 /\\ 1:r0=1",
        ),
        "Sometimes",
    ),
    "pointers in integers, and variables that nobody declares": (
        threads(
            "r3 = y; WRITE_ONCE(*y, 1); smp_store_release(x, r3);",
            "r1 = (char *)rcu_dereference(*(char **)x); r4 = z; r5 = (r1 != r4); if (r5) r2 = READ_ONCE(*r1);",
            condition="1:r1=y /\\ 1:r2=0",
            init=" x=z; a = ATOMIC_INIT(0); ",
        ).replace("int *z", "intptr_t *z")
        + ";",
        "Never",
    ),
    "locks": (
        threads(
            "spin_lock(l); WRITE_ONCE(*x, 1); WRITE_ONCE(*y, 1); spin_unlock(l);",
            "int r0; int r1; spin_lock(l); r0 = READ_ONCE(*y); r1 = READ_ONCE(*x); spin_unlock(l);",
            condition="1:r0=1 /\\ 1:r1=0",
        ),
        "Never",
    ),
    "counted under a lock": (
        threads(
            "int r; spin_lock(l); r = READ_ONCE(*x); WRITE_ONCE(*x, r + 1); spin_unlock(l);",
            "int r; spin_lock(l); r = READ_ONCE(*x); WRITE_ONCE(*x, r + 1); spin_unlock(l);",
            condition="x=1",
        ),
        "Never",
    ),
    "trylock": (
        threads(
            "int r0; r0 = spin_trylock(l);",
            "int r1; r1 = spin_trylock(l);",
            condition="0:r0=1 /\\ 1:r1=1",
        ),
        "Never",
    ),
    "trylock fails once": (
        threads(
            "int r0; r0 = spin_trylock(l);",
            "int r1; r1 = spin_trylock(l);",
            condition="0:r0=0 /\\ 1:r1=1",
        ),
        "Sometimes",
    ),
    "rcu": (
        threads(
            RCU_READER.format("rcu_read_lock();", "", "rcu_read_unlock();"), RCU_WRITER, condition="0:r0=1 /\\ 0:r1=0"
        ),
        "Never",
    ),
    "no rcu": (threads(RCU_READER.format("", "", ""), RCU_WRITER, condition="0:r0=1 /\\ 0:r1=0"), "Sometimes"),
    "rcu after": (
        threads(
            RCU_READER.format("rcu_read_lock(); rcu_read_unlock();", "", ""), RCU_WRITER, condition="0:r0=1 /\\ 0:r1=0"
        ),
        "Sometimes",
    ),
    "srcu": (
        threads(
            "int i; " + RCU_READER.format("i = srcu_read_lock(s);", "", "srcu_read_unlock(s, i);"),
            RCU_WRITER.replace("synchronize_rcu()", "synchronize_srcu(s)"),
            condition="0:r0=1 /\\ 0:r1=0",
        ),
        "Never",
    ),
    "fetch_add": (
        threads(
            "int r0; r0 = atomic_fetch_add(1, a);",
            "int r1; r1 = atomic_inc_return(a);",
            condition="0:r0=0 /\\ 1:r1=1",
        ),
        "Never",
    ),
    "dec and test": (
        threads("int r0; r0 = atomic_dec_and_test(a);", condition="0:r0=1", init=" a=1; "),
        "Always",
    ),
    "add unless": (
        threads("int r0; r0 = atomic_add_unless(a, 5, 3);", condition="0:r0=0 /\\ a=3", init=" a=3; "),
        "Always",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_kernel_s_model(name: str) -> None:
    text, wanted = CASES[name]
    found = porf.explore(read_litmus(text, name), "lkmm")
    assert found.observation is not None
    assert found.observation.observation == wanted
    assert not found.reasons


def test_races_of_plain_accesses_are_flagged() -> None:
    racy = threads("*x = 1;", "int r0; r0 = READ_ONCE(*x);", condition="1:r0=1")
    assert "data-race" in porf.explore(read_litmus(racy), "lkmm").flags
    assert "Flag data-race" in porf.explore(read_litmus(racy), "lkmm").report()
    locked = threads(
        "spin_lock(l); *x = 1; spin_unlock(l);",
        "int r0; spin_lock(l); r0 = *x; spin_unlock(l);",
        condition="1:r0=1",
    )
    assert porf.explore(read_litmus(locked), "lkmm").flags == {}
    published = threads(
        "*x = 1; smp_store_release(y, 1);",
        "int r0; int r1; r0 = smp_load_acquire(y); if (r0) r1 = *x; else r1 = 1;",
        condition="1:r0=1 /\\ 1:r1=0",
    )
    found = porf.explore(read_litmus(published), "lkmm")
    assert found.flags == {} and found.observation is not None and found.observation.observation == "Never"


def test_unbalanced_critical_sections_are_flagged() -> None:
    text = threads("rcu_read_lock(); WRITE_ONCE(*x, 1);", condition="x=1")
    assert "unbalanced-rcu-locking" in porf.explore(read_litmus(text), "lkmm").flags


def test_what_c_has_too_is_still_c_elsewhere() -> None:
    text, _ = CASES["mp+wmb+rmb"]
    found = porf.explore(read_litmus(text), "rc11")
    assert found.observation is not None and found.algorithm != "candidates"


def test_an_unknown_macro_is_an_error_with_a_hint() -> None:
    with pytest.raises(ProgramError) as caught:
        read_litmus(threads("rcu_read_lok();", "rcu_read_lock();", condition="x=0"))
    assert "rcu_read_lok" in str(caught.value) and "rcu_read_lock" in str(caught.value.hint)


@pytest.mark.parametrize("model", ["tso", "rc11", "cc"])
def test_models_of_c_say_nothing_of_the_kernel_s_fences(model: str) -> None:
    with pytest.raises(porf.ModelError, match=f"{model} is a model of what C says, and this is of the Linux kernel"):
        porf.explore(read_litmus(CASES["rcu"][0]), model)


def test_a_test_in_c_has_no_fences_of_a_machine() -> None:
    with pytest.raises(porf.ModelError, match="this is a model of AArch64, and the program's orders are those of C"):
        porf.explore(read_litmus(CASES["mp+wmb+rmb"][0]), "aarch64")


def test_sequential_consistency_may_be_asked_of_the_kernel_s_tests() -> None:
    found = porf.explore(read_litmus(CASES["no rcu"][0]), "sc")
    assert found.observation is not None and found.observation.observation == "Never"


def test_a_test_of_one_architecture_is_not_asked_of_a_model_of_another() -> None:
    text, _ = CASES["rcu"]
    with pytest.raises(porf.ModelError, match="aarch64 is a model of AArch64, and this is of the Linux kernel"):
        porf.explore(read_litmus(text), "aarch64")
