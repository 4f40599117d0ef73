"""Which stack objects are private to their thread, and which thread-locals are not."""

from __future__ import annotations

import pytest

from porf.programs.c import ir
from porf.programs.c.private import escaping_locals, private_allocas
from tests.programs.c.by_hand import (
    I32,
    I64,
    PTR,
    alloca,
    call,
    function,
    gep,
    load,
    module,
    number,
    register,
    ret,
    store,
    symbol,
)

X, Y = register("x"), register("y")
NULL = number(0, PTR)
PRIVATE = {
    "load": [load(X)],
    "store to it": [store(number(1), X)],
    "atomic": [ir.Instruction("atomicrmw", "old", I32, (X, number(1)), kind="add", order="seq_cst")],
    "element": [gep("y", I32, X, number(1)), load(Y)],
    "copied": [ir.Instruction("phi", "y", PTR, (X, NULL), ("a", "b")), load(Y)],
    "compared": [ir.Instruction("icmp", "y", ir.Integer(1), (X, NULL), kind="eq")],
    "number compared": [
        ir.Instruction("ptrtoint", "y", I64, (X,)),
        ir.Instruction("icmp", "z", ir.Integer(1), (register("y", I64), number(0, I64)), kind="eq"),
    ],
    "memset": [call("llvm.memset.p0.i64", X, number(0), number(4, I64))],
    "memcpy gives it back": [call("memcpy", X, symbol("g"), number(4, I64), result="y"), load(Y)],
    "handle of a thread": [call("pthread_create", X, NULL, symbol("work"), NULL)],
    "result of a thread": [call("pthread_join", number(0, I64), X)],
    "printed": [call("printf", symbol("format"), X)],
    "lifetime": [call("llvm.lifetime.start.p0", number(4, I64), X)],
    "function that reads": [call("reads", X)],
    "function that hands on": [call("hands_on", X)],
    "recursion": [call("descends", X)],
    "given back and read": [call("gives_back", X, result="y"), load(Y)],
}
SHARED = {
    "stored": [store(X, symbol("g"))],
    "stored in private memory": [alloca("y", PTR), store(X, Y)],
    "argument of a thread": [call("pthread_create", NULL, NULL, symbol("work"), X)],
    "mutex": [call("pthread_mutex_lock", X)],
    "unknown function": [call("mystery", X)],
    "indirect call": [call(register("f"), X)],
    "returned": [ret(X)],
    "exchanged": [ir.Instruction("atomicrmw", "old", PTR, (symbol("g"), X), kind="xchg", order="seq_cst")],
    "compare-exchanged": [ir.Instruction("cmpxchg", "old", PTR, (symbol("g"), NULL, X), order="seq_cst")],
    "element stored": [gep("y", I32, X, number(1)), store(Y, symbol("g"))],
    "copy stored": [
        ir.Instruction("select", "y", PTR, (number(1, ir.Integer(1)), X, NULL)),
        store(Y, symbol("g")),
    ],
    "number": [ir.Instruction("ptrtoint", "y", I64, (X,)), store(register("y", I64), symbol("g"))],
    "arithmetic": [
        ir.Instruction("ptrtoint", "y", I64, (X,)),
        ir.Instruction("xor", "z", I64, (register("y", I64), number(1, I64))),
    ],
    "structure": [ir.Instruction("insertvalue", "y", ir.Struct("", (PTR,)), (ir.Undefined(PTR), X), indices=(0,))],
    "function that keeps": [call("keeps", X)],
    "function that lets keep": [call("lets_keep", X)],
    "given back and stored": [call("gives_back", X, result="y"), store(Y, symbol("g"))],
    "given back and returned": [call("gives_back", X, result="y"), ret(Y)],
    "variadic": [call("reads", NULL, X)],
    "memcpy gives it back, and it is stored": [
        call("memcpy", X, symbol("g"), number(4, I64), result="y"),
        store(Y, symbol("g")),
    ],
}
P = register("p")
OTHERS = (
    function("reads", load(P), ret(), parameters=("p",)),
    function("hands_on", call("reads", P), ret(), parameters=("p",)),
    function("descends", load(P), call("descends", P), ret(), parameters=("p",)),
    function("keeps", store(P, symbol("g")), ret(), parameters=("p",)),
    function("lets_keep", gep("q", I32, P, number(1)), call("keeps", register("q")), ret(), parameters=("p",)),
    function("gives_back", gep("q", I32, P, number(1)), ret(register("q")), parameters=("p",)),
    function("work", ret(NULL), parameters=("p",)),
    function("mystery"),
    function("pthread_create"),
    ir.Global("g", PTR, NULL),
)


@pytest.mark.parametrize("name", PRIVATE)
def test_private(name: str) -> None:
    found = private_allocas(module(function("main", alloca("x"), *PRIVATE[name], ret()), *OTHERS))
    assert "x" in found["main"]


@pytest.mark.parametrize("name", SHARED)
def test_shared(name: str) -> None:
    found = private_allocas(module(function("main", alloca("x"), *SHARED[name], ret()), *OTHERS))
    assert "x" not in found["main"]


def test_one_object_of_two_escapes() -> None:
    main = function("main", alloca("x"), alloca("y"), store(X, symbol("g")), load(Y), ret())
    assert private_allocas(module(main, *OTHERS))["main"] == {"y"}


def test_a_parameter_that_is_copied_is_an_object_of_its_own() -> None:
    pair = ir.Struct("", (I32, I32))
    reads = ir.Function("f", PTR, (P,), blocks=(ir.Block("entry", (load(P), ret())),), copied={"p": pair})
    keeps = ir.Function("g", PTR, (P,), blocks=(ir.Block("entry", (store(P, symbol("g")), ret())),), copied={"p": pair})
    main = function("main", alloca("x", pair), call("f", X), call("g", X), ret())
    assert private_allocas(module(main, reads, keeps)) == {"main": {"x"}, "f": {"p"}, "g": set()}


def local(*code: ir.Instruction) -> set[str]:
    items = (ir.Global("t", I32, number(1), thread_local=True), function("main", *code, ret()))
    return escaping_locals(module(*items, *OTHERS))


def test_thread_locals() -> None:
    address = call("llvm.threadlocal.address.p0", symbol("t"), result="x")
    assert local(address, load(X), call("reads", X)) == set()
    assert local(load(symbol("t"))) == set()
    assert local(address, store(X, symbol("g"))) == {"t"}
    assert local(address, call("pthread_create", NULL, NULL, symbol("work"), X)) == {"t"}
    assert local(store(symbol("t"), symbol("g"))) == {"t"}
