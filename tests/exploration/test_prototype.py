"""The prototype of the stateless exploration finds what brute force finds, each class once, and no false deadlock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from porf.execution import Order
from porf.programs.assemble import Assembler
from porf.programs.form import Binary, Modify, Opcode, Program, pointer
from tests.exploration.consistency import MODELS
from tests.exploration.known_programs import Code, assembled, load, store
from tests.exploration.prototype import Explorer
from tests.exploration.random_programs import KINDS, random_program
from tests.exploration.reference import classes

X, M = 0, 1


def exact(program: Program, model: str) -> None:
    complete, blocked = classes(program, model)
    found = Explorer(program, model).explore()
    assert Counter(found.complete) == Counter(complete), (program.name, model)
    assert Counter(found.blocked) == Counter(blocked), (program.name, model)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", MODELS)
def test_random_programs(kind: str, model: str) -> None:
    for seed in range(12):
        exact(random_program(seed, kind, sc=model != "rc20", most=6), model)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("model", MODELS)
def test_many_random_programs(kind: str, model: str) -> None:
    for seed in range(12, 212):
        exact(random_program(seed, kind, sc=model != "rc20", most=7), model)


@pytest.mark.full
@pytest.mark.parametrize("model", ["sc", "ra"])
def test_many_programs_with_mutexes(model: str) -> None:
    for seed in range(1000):
        exact(random_program(seed, "locks", most=10), model)


def read(a: Assembler) -> None:
    load(a, X)


def write(a: Assembler) -> None:
    store(a, X, a.constant(1))


def update(a: Assembler) -> None:
    where, one = a.constant(pointer(X)), a.constant(1)
    a.emit(Opcode.RMW, a=a.register(), b=where, c=one, kind=Modify.ADD, width=8, order=Order.ACQ_REL)


def lock(a: Assembler) -> None:
    a.emit(Opcode.LOCK, b=a.constant(pointer(M)), width=8)


def trylock(a: Assembler) -> None:
    taken, end = a.register(), a.label()
    a.emit(Opcode.TRYLOCK, a=taken, b=a.constant(pointer(M)), width=8)
    a.jump_unless(taken, end)
    unlock(a)
    a.put(end)


def unlock(a: Assembler) -> None:
    a.emit(Opcode.UNLOCK, b=a.constant(pointer(M)), width=8)


def assume_written(a: Assembler) -> None:
    seen = a.register()
    a.emit(Opcode.BINARY, a=seen, b=load(a, X), c=a.constant(0), kind=Binary.NE)
    a.emit(Opcode.ASSUME, b=seen)


HARD = {
    # A revisiting update is already there as a plain read when the canonical choice of what it revisits is judged.
    "the update's own read counts": [[write, update], [update, update], [write]],
    # The write revisits the read in the second section when the first section already follows it.
    "a lock sleeps again": [[read], [lock, unlock], [write], [lock, read, unlock]],
    # The same, but the lock that sleeps again is deleted.
    "a lock slept when it was added": [[read, lock, unlock], [trylock, write], [lock, unlock]],
    # The second thread has never a chance to take the mutex if the first goes first.
    "a lock that never gets its mutex": [[lock, assume_written], [lock, unlock]],
    # Waking a lock where it stands would keep the trylock from reading the unlock.
    "a trylock while a lock sleeps": [[lock, unlock], [trylock], [lock, unlock]],
    "a deadlock": [[lock, lock], [lock, unlock], [trylock]],
    "three sections": [[lock, write, unlock], [lock, read, unlock], [lock, write, unlock], [read]],
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("model", MODELS)
def test_hard_programs(name: str, model: str) -> None:
    def thread(parts: Sequence[Code]) -> Code:
        def code(a: Assembler) -> None:
            for part in parts:
                part(a)

        return code

    exact(assembled(name, {"x": 0, "m": 0}, [thread(parts) for parts in HARD[name]]), model)
