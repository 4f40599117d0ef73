"""The memory of a program in C: objects, cells with the source's names, constants, thread-locals, layouts."""

from __future__ import annotations

import pytest

from porf.errors import ProgramError
from porf.programs import form
from porf.programs.c import ir
from porf.programs.c.memory import Memory
from porf.programs.c.reachable import reachable
from porf.programs.c.types import Types
from tests.programs.c.by_hand import (
    CHAR,
    I8,
    I32,
    I64,
    INT,
    PTR,
    UNSIGNED,
    Debug,
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

NODE = ir.Struct("struct.node", (I32, PTR))
DEBUG = Debug(
    INT,
    ir.DebugType("struct", "node", 16, members=(("value", 0, 0), ("next", 8, 2))),
    ir.DebugType("pointer", "", 8, element=1),
    ir.DebugType("array", "", 32, element=1, count=2),
    UNSIGNED,
    CHAR,
    ir.DebugType("union", "", 40, members=(("__data", 0, 7), ("__size", 0, 8), ("__align", 0, 0))),
    ir.DebugType("struct", "__pthread_mutex_s", 40, members=(("__lock", 0, 0), ("__count", 4, 0))),
    ir.DebugType("array", "", 40, element=5, count=40),
    ir.DebugType("struct", "atomic<int>", 4, members=(("_M_i", 0, 0),)),
    ir.DebugType("struct", "flex", 4, members=(("count", 0, 0), ("data", 4, 11))),
    ir.DebugType("array", "", 0, element=0, count=0),
    ir.DebugType("pointer", "", 8, element=10),
    ir.DebugType("pointer", "", 8, element=0),
    ir.DebugType("pointer", "", 8, element=-1),
    ir.DebugType("array", "", 8, element=0, count=2),
    ir.DebugType("union", "either", 8, members=(("small", 0, 0), ("large", 0, 2))),
    ir.DebugType("struct", "pair", 8, members=(("left", 0, 0), ("right", 4, 0))),
)
STRUCTS = {
    "struct.node": NODE,
    "struct.pair": ir.Struct("struct.pair", (I32, I32)),
    "struct.flex": ir.Struct("struct.flex", (I32, ir.Array(0, I32))),
}


def use(*names: str) -> ir.Function:
    return function("main", *(call("look", symbol(name)) for name in names), ret())


def memory(*items: ir.Function | ir.Global, templates: dict[str, int] | None = None) -> Memory:
    made = module(*items, structs=STRUCTS, debug=DEBUG)
    return memory_of(made, templates or {})


def memory_of(made: ir.Module, templates: dict[str, int]) -> Memory:
    roots = dict.fromkeys(["main", *made.constructors, *templates])
    return Memory(made, Types(made.structs), templates, reachable(made, roots))


def variable(name: str, type: ir.Type, initial: ir.Operand, debug: int) -> ir.Global:
    return ir.Global(name, type, initial, variable=ir.Variable(name, debug))


def cells(item: form.Object) -> list[tuple[str, int, int, int | None]]:
    return [(c.label, c.offset, c.width, c.initial) for c in item.cells]


def test_members_and_elements_have_the_names_of_the_source() -> None:
    one = ir.Aggregate(NODE, (number(-7), symbol("nodes")))
    nodes = variable("nodes", ir.Array(2, NODE), ir.Aggregate(ir.Array(2, NODE), (one, ir.Zero(NODE))), 3)
    found = memory(use("nodes"), nodes).objects
    assert cells(found[0]) == [
        ("nodes[0].value", 0, 4, -7),
        ("nodes[0].next", 8, 8, form.pointer(0)),
        ("nodes[1].value", 16, 4, 0),
        ("nodes[1].next", 24, 8, 0),
    ]


def test_unsigned_cells_begin_unsigned() -> None:
    found = memory(use("x"), variable("x", I32, number(-1), 4))
    assert cells(found.objects[0]) == [("x", 0, 4, 2**32 - 1)]


def test_a_mutex_is_one_word() -> None:
    type = ir.Array(40, I8)
    assert cells(memory(use("m"), variable("m", type, ir.Zero(type), 6)).objects[0]) == [("m", 0, 4, 0)]


def test_a_mutex_keeps_what_its_initialiser_sets() -> None:
    type = ir.Struct("", (I32, I32, I32, I32, I32, ir.Array(20, I8)))
    initial = ir.Aggregate(type, (*map(number, (0, 0, 0, 0, 1)), ir.Zero(ir.Array(20, I8))))
    found = memory(use("m"), variable("m", type, initial, 6)).objects[0]
    assert cells(found) == [("m", 0, 4, 0), ("m+16", 16, 4, 1)]


def test_members_of_library_wrappers_have_no_name() -> None:
    assert cells(memory(use("x"), variable("x", I32, number(3), 9)).objects[0]) == [("x", 0, 4, 3)]


def test_a_structure_that_is_accessed_as_a_whole_by_atomics_is_one_cell() -> None:
    pair = ir.Struct("struct.pair")
    whole = function("main", load(symbol("p"), I64, "seq_cst"), ret())
    assert cells(memory(whole, variable("p", pair, ir.Zero(pair), 17)).objects[0]) == [("p", 0, 8, 0)]
    parts = function("main", load(symbol("p"), I32, "seq_cst"), ret())
    found = memory(parts, variable("p", pair, ir.Zero(pair), 17)).objects[0]
    assert cells(found) == [("p.left", 0, 4, 0), ("p.right", 4, 4, 0)]


def test_atomics_through_a_pointer_tell_the_width_of_a_member_of_every_such_structure() -> None:
    holder = ir.Struct("struct.node")
    through = function(
        "f", gep("at", holder, register("p"), number(0), number(1)), load(register("at"), I32, "acquire"), ret()
    )
    found = memory(use("n"), through, variable("n", holder, ir.Zero(holder), 1)).objects[0]
    assert cells(found) == [("n.value", 0, 4, 0), ("n.next", 8, 4, 0), ("n.next+4", 12, 4, 0)]  # no byte is lost


def test_a_union_whose_members_differ_is_the_parts_that_none_of_them_cuts() -> None:
    zero = memory(use("u"), variable("u", PTR, ir.Zero(PTR), 16)).objects[0]
    assert cells(zero) == [("u.small", 0, 4, 0), ("u+4", 4, 4, 0)]
    small = ir.Struct("", (I32, ir.Array(4, I8)))
    initial = ir.Aggregate(small, (number(5), ir.Undefined(ir.Array(4, I8))))
    assert [c[3] for c in cells(memory(use("u"), variable("u", small, initial, 16)).objects[0])] == [5, 0]


def test_a_union_that_an_atomic_access_may_cut_declares_what_its_initialiser_sets() -> None:
    loose = function("f", load(register("p"), I64, "seq_cst"), ret(), parameters=("p",))
    assert cells(memory(use("u"), loose, variable("u", PTR, ir.Zero(PTR), 16)).objects[0]) == []
    assert cells(memory(use("u"), loose, variable("u", I64, number(5, I64), 16)).objects[0]) == [("u", 0, 8, 5)]


def test_strings_are_bytes_and_messages_have_none() -> None:
    text = ir.Text(ir.Array(3, I8), b"hi\0")
    strings = [ir.Global(name, text.type, text, constant=True) for name in (".str", ".str.1")]
    main = function("main", call("__assert_fail", symbol(".str")), load(symbol(".str.1"), I8), ret())
    shown, read = memory(main, *strings, function("__assert_fail")).objects
    assert cells(shown) == []
    assert cells(read) == [('"hi"[0]', 0, 1, 104), ('"hi"[1]', 1, 1, 105), ('"hi"[2]', 2, 1, 0)]


def test_only_what_is_reachable_is_an_object_and_functions_have_their_template() -> None:
    table = ir.Global("table", PTR, symbol("work"))
    unused = ir.Global("unused", I32, number(1))
    found = memory(use("table"), table, unused, function("work", ret()), templates={"main": 0, "work": 1})
    assert [(o.name, o.size, o.template) for o in found.objects] == [("table", 8, -1), ("work", 0, 1)]
    assert found.value(symbol("work")) == form.pointer(1)
    assert found.objects[0].cells[0].initial == form.pointer(1)


def test_a_variable_that_is_nowhere_defined_is_refused() -> None:
    with pytest.raises(ProgramError, match="'lost', which is declared but not defined"):
        memory(use("lost"), ir.Global("lost", I32)).value(symbol("lost"))


@pytest.mark.parametrize(
    ("operand", "value"),
    [
        (number(-3), -3),
        (ir.Undefined(I32), 0),
        (ir.Zero(PTR), 0),
        (symbol("x"), form.pointer(0)),
        (ir.Expression("getelementptr", PTR, (symbol("x"), number(1), number(1)), NODE), form.pointer(0, 24)),
        (ir.Expression("getelementptr", PTR, (symbol("x"), number(-1)), I32), form.pointer(0) - 4),
        (ir.Expression("ptrtoint", I64, (symbol("x"),)), form.pointer(0)),
        (ir.Expression("trunc", I32, (ir.Expression("ptrtoint", I64, (symbol("x"),)),)), 0),
        (ir.Expression("sub", I64, (number(1, I64), number(3, I64))), -2),
        (ir.Expression("add", I8, (number(127, I8), number(1, I8))), -128),
        (ir.Expression("zext", I32, (number(-1, I8),)), 255),
        (ir.Expression("sext", I32, (number(1, ir.Integer(1)),)), -1),
        (ir.Expression("shl", I32, (number(1), number(31))), -(2**31)),
        (ir.Expression("icmp ult", ir.Integer(1), (number(-1), number(1))), 0),
        (ir.Expression("icmp slt", ir.Integer(1), (number(-1), number(1))), 1),
        (ir.Expression("select", I32, (number(0, ir.Integer(1)), number(1), number(2))), 2),
    ],
)
def test_constants(operand: ir.Operand, value: int) -> None:
    assert memory(use("x"), variable("x", I32, number(0), 0)).value(operand) == value


def test_a_constant_without_a_meaning_is_refused() -> None:
    with pytest.raises(ProgramError, match=r"the constant 'half 1\.5'"):
        memory(use()).value(ir.Unsupported(ir.Opaque("half"), "half 1.5"))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("double", "1.5", 0x3FF8 << 48),
        ("double", "0xFFF0000000000000", -(0x10 << 48)),
        ("double", "-0.000000e+00", -(1 << 63)),
        ("float", "0x3FB99999A0000000", 0x3DCCCCCD),
        ("float", "-2.0", -(1 << 30)),
    ],
)
def test_floating_point_constants_are_their_bits(kind: str, text: str, value: int) -> None:
    assert memory(use()).value(ir.Unsupported(ir.Opaque(kind), f"{kind} {text}")) == value


def test_thread_locals_have_slots_and_words() -> None:
    first = ir.Global("a", ir.Array(3, I32), ir.Text(ir.Array(12, I8), bytes(range(1, 13))), thread_local=True)
    second = ir.Global("b", I64, number(-1, I64), thread_local=True)
    found = memory(use("a", "b"), first, second)
    assert found.locals == (form.Local(0, 12, (0x0807060504030201, 0x0C0B0A09)), form.Local(5, 8, (-1,)))
    assert (found.local_slot("a"), found.local_slot("b")) == (0, 5)
    assert found.objects == ()


def test_very_long_arrays_declare_only_what_is_set() -> None:
    type = ir.Array(100_000, I8)
    long = ir.Global("buffer", type, ir.Text(type, b"\0" * 50_000 + b"x" + b"\0" * 49_999))
    found = memory(use("buffer"), long).objects[0]
    assert len(found.cells) < 2000
    assert ("buffer[50000]", 50_000, 1, 120) in cells(found)


def heap(*code: ir.Instruction, size: int = 16, variables: dict[str, ir.Variable] | None = None) -> form.Object:
    allocation = call("malloc", number(size, I64), result="p")
    main = function("main", allocation, *code, ret(), variables=variables)
    item = variable("head", PTR, ir.Zero(PTR), 2)
    found = memory(main, item)
    assert found.heap_layout(main, allocation) == found.heap_layout(main, allocation) == 0
    return found.layouts[0]


NODE_CELLS = [("value", 0, 4, None), ("next", 8, 8, None)]


def test_a_heap_object_looks_like_what_its_variable_points_to() -> None:
    found = heap(variables={"p": ir.Variable("n", 2)})
    assert (found.name, found.size, cells(found)) == ("node", 16, NODE_CELLS)
    found = heap(variables={"p": ir.Variable("numbers", 13)})
    assert (found.name, found.size, cells(found)) == ("numbers", 4, [("", 0, 4, None)])


def test_a_heap_object_is_known_by_a_copy_by_its_place_or_by_its_use() -> None:
    copy = ir.Instruction("phi", "q", PTR, (register("p"), number(0, PTR)), ("a", "b"))
    assert heap(copy, variables={"q": ir.Variable("n", 2), "p": ir.Variable("any", 14)}).name == "node"
    assert cells(heap(store(register("p"), symbol("head")))) == NODE_CELLS
    access = gep("q", NODE, register("p"), number(0), number(1))
    assert cells(heap(access, variables={"other": ir.Variable("other", 2)})) == NODE_CELLS
    assert [c[1:] for c in cells(heap(access))] == [(0, 4, None), (8, 8, None)]


def test_a_heap_object_that_nothing_is_known_of_has_no_cells() -> None:
    assert (heap().name, heap().cells) == ("heap", ())
    assert heap(size=12, variables={"p": ir.Variable("n", 2)}).cells == ()  # no node has room there


def test_a_flexible_array_is_as_long_as_what_is_allocated() -> None:
    found = heap(size=12, variables={"p": ir.Variable("f", 12)})
    assert (found.size, [c[:3] for c in cells(found)]) == (
        12,
        [("count", 0, 4), ("data[0]", 4, 4), ("data[1]", 8, 4)],
    )


def test_a_stack_object_is_made_of_its_elements() -> None:
    item = alloca("ids", ir.Array(2, I32))
    main = function("main", item, ret(), variables={"ids": ir.Variable("ids", 15)})
    found = memory(main)
    assert found.alloca_layout(main, item) == 0
    assert (found.layouts[0].name, found.layouts[0].size, cells(found.layouts[0])) == ("ids", 4, [("", 0, 4, None)])
    single = alloca("n", NODE)
    main = function("main", single, ret(), variables={"n": ir.Variable("n", 1)})
    found = memory(main)
    found.alloca_layout(main, single)
    assert (found.layouts[0].name, cells(found.layouts[0])) == ("n", NODE_CELLS)


def test_bit_fields_are_the_units_of_llvm() -> None:
    type = ir.Struct("struct.bits", (ir.Integer(16), I8, I8))
    debug = Debug(INT, ir.DebugType("struct", "bits", 4, members=(("a", 0, 0), ("b", 0, 0), ("c", 2, 2))), CHAR)
    item = ir.Global("x", type, ir.Zero(type), variable=ir.Variable("x", 1))
    made = module(use("x"), item, structs={"struct.bits": type}, debug=debug)
    found = memory_of(made, {}).objects[0]
    assert [c[:3] for c in cells(found)] == [("x.a", 0, 2), ("x.c", 2, 1), ("x.c+1", 3, 1)]
