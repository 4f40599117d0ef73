"""LLVM's text parsed: real sources compiled here, field by field; and text that is broken, which must be refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from porf.errors import PorfError
from porf.programs.c import ir, read_module
from porf.programs.c.bitcode import prepared_text
from porf.programs.c.compile import compile_source
from porf.programs.c.text import TextError, parse_module
from porf.programs.form import Place

I8, I32, I64, POINTER = ir.Integer(8), ir.Integer(32), ir.Integer(64), ir.Pointer()


def module(folder: Path, text: str, name: str = "program.c", arguments: tuple[str, ...] = ()) -> ir.Module:
    path = folder / name
    path.write_text(text)
    return read_module(str(path), arguments)


def steps(function: ir.Function, opcode: str) -> list[ir.Instruction]:
    return [step for block in function.blocks for step in block.instructions if step.opcode == opcode]


def test_atomics_have_their_orders_widths_and_places(tmp_path: Path) -> None:
    main = module(
        tmp_path,
        """#include <stdatomic.h>
atomic_int x; atomic_uchar c; volatile int v; int plain;
int main(void) {
  atomic_store_explicit(&x, 7, memory_order_release);
  int r = atomic_load_explicit(&x, memory_order_acquire);
  atomic_fetch_sub(&x, r);
  atomic_exchange_explicit(&c, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_acq_rel);
  atomic_signal_fence(memory_order_seq_cst);
  v = plain;
  return atomic_compare_exchange_weak_explicit(&x, &r, 2, memory_order_acq_rel, memory_order_relaxed);
}
""",
    ).functions["main"]
    file = str(tmp_path / "program.c")
    x = ir.Symbol(POINTER, "x")
    store, plain_store = steps(main, "store")
    assert (store.operands, store.order, store.volatile) == ((ir.Number(I32, 7), x), "release", False)
    assert store.place == Place(4, 3, file)
    assert (plain_store.order, plain_store.volatile) == ("", True)
    load, plain_load = steps(main, "load")
    assert (load.operands, load.type, load.source, load.order) == ((x,), I32, I32, "acquire")
    assert (plain_load.operands, plain_load.order) == ((ir.Symbol(POINTER, "plain"),), "")
    sub, exchange = steps(main, "atomicrmw")
    assert (sub.kind, sub.order, sub.operands[0], sub.type) == ("sub", "seq_cst", x, I32)
    assert sub.operands[1] == ir.Register(I32, load.result)
    assert (exchange.kind, exchange.order) == ("xchg", "monotonic")
    assert exchange.operands == (ir.Symbol(POINTER, "c"), ir.Number(I8, 1))
    assert [(fence.order, fence.kind) for fence in steps(main, "fence")] == [
        ("acq_rel", ""),
        ("seq_cst", "singlethread"),
    ]
    (cas,) = steps(main, "cmpxchg")
    assert (cas.order, cas.failure, cas.weak) == ("acq_rel", "monotonic", True)
    assert cas.type == ir.Struct("", (I32, ir.Integer(1)))
    assert cas.operands == (x, ir.Register(I32, load.result), ir.Number(I32, 2))
    old, done = steps(main, "extractvalue")
    assert [(old.type, old.indices), (done.type, done.indices)] == [(I32, (0,)), (ir.Integer(1), (1,))]
    assert not main.variables  # of a number in a register nobody asks for the name
    assert (main.place, main.title) == (Place(3, 1, file), "main")


def test_globals_have_their_values_and_what_the_source_says(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """#include <stdatomic.h>
struct node { struct node *next; int value; };
typedef struct { _Atomic(struct node *) top; const unsigned char tags[2][3]; } stack;
struct node first, second = { &first, -4 };
stack s; int grid[2][3] = { { 1, 2, 3 }, { 4 } }; int *inside = &grid[1][1]; long number = (long)&grid[1];
static _Thread_local int mine = 5; extern int theirs; static const char *const name = "a\\"\\n";
enum colour { RED, GREEN = 7 } colour = GREEN; _Bool yes = 1; double half = 0.5; unsigned long big = -1;
int main(void) { return s.top == 0 && grid[0][0] + *inside + mine + theirs + name[0] + colour + yes + half
  && second.value && number && big; }
""",
    )
    assert found.structs["struct.node"] == ir.Struct("struct.node", (POINTER, I32))
    second = found.globals["second"].initial
    assert isinstance(second, ir.Aggregate)
    assert second.elements[:2] == (ir.Symbol(POINTER, "first"), ir.Number(I32, -4))
    row = ir.Array(3, I32)
    assert found.globals["grid"].type == ir.Array(2, row)
    grid = found.globals["grid"].initial
    assert isinstance(grid, ir.Aggregate)
    assert grid.elements[1] == ir.Aggregate(row, tuple(ir.Number(I32, value) for value in (4, 0, 0)))
    inside = found.globals["inside"].initial
    assert isinstance(inside, ir.Expression)
    assert (inside.opcode, inside.source, inside.operands) == (
        "getelementptr",
        I8,
        (ir.Symbol(POINTER, "grid"), ir.Number(I64, 16)),
    )
    number = found.globals["number"].initial
    assert isinstance(number, ir.Expression) and number.opcode == "ptrtoint" and number.type == I64
    assert (found.globals["mine"].thread_local, found.globals["mine"].initial) == (True, ir.Number(I32, 5))
    assert found.globals["theirs"].initial is None
    texts = [item.initial for item in found.globals.values() if isinstance(item.initial, ir.Text)]
    assert [text.data for text in texts] == [b'a"\n\0']
    assert found.globals["big"].initial == ir.Number(I64, -1)
    assert found.globals["half"].initial == ir.Unsupported(ir.Opaque("double"), "5.000000e-01")


def test_debug_types_see_through_typedefs_qualifiers_and_atomics(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """#include <stdatomic.h>
typedef union { int number; float real; } either;
struct node { struct node *next; unsigned low : 3, high : 9; either e; };
typedef struct { _Atomic(struct node *) top; const unsigned char tags[2][3]; int (*call)(int); atomic_bool on; } stack;
enum colour { RED } colour; stack s;
int main(void) { return colour + (s.top != 0); }
""",
    )

    def kind(number: int) -> ir.DebugType:
        return found.debug.type(number)

    variable = found.globals["s"].variable
    assert variable is not None and variable.name == "s" and variable.place is not None and variable.place.line == 5
    stack = kind(variable.type)
    assert (stack.kind, stack.name, stack.size) == ("struct", "stack", 32)
    assert [(name, offset) for name, offset, _ in stack.members] == [("top", 0), ("tags", 8), ("call", 16), ("on", 24)]
    top, tags, call, on = (kind(number) for _, _, number in stack.members)
    node = kind(top.element)
    assert (top.kind, node.kind, node.name) == ("pointer", "struct", "node")
    assert [(name, offset) for name, offset, _ in node.members] == [("next", 0), ("low", 8), ("high", 8), ("e", 12)]
    assert kind(kind(node.members[0][2]).element) == node
    assert (tags.kind, tags.count, tags.size) == ("array", 2, 6)
    inner = kind(tags.element)
    assert (inner.kind, inner.count, inner.size) == ("array", 3, 3)
    assert kind(inner.element) == ir.DebugType("integer", "unsigned char", 1, False)
    assert kind(call.element).kind == "function"
    assert on == ir.DebugType("boolean", "_Bool", 1, False)
    either = kind(node.members[3][2])
    assert (either.kind, [(name, offset) for name, offset, _ in either.members]) == (
        "union",
        [("number", 0), ("real", 0)],
    )
    assert kind(either.members[1][2]).kind == "float"
    colour = found.globals["colour"].variable
    assert colour is not None and (kind(colour.type).kind, kind(colour.type).signed) == ("enum", False)
    assert kind(-1).kind == "other"


def test_calls_and_control(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """#include <stdio.h>
struct large { long words[5]; };
int factorial(int n) { return n ? n * factorial(n - 1) : 1; }
int taken(struct large by_value) { return by_value.words[1] + taken(by_value); }
int (*pointer)(int) = factorial;
int main(int argc, char **argv) {
  struct large l = { { 1 } };
  __asm__ volatile("nop");
  int r = pointer(argc);
  switch (r) { case 1: r = 2; break; case -5: r = 3; }
  for (int i = 0; i < argc; i++) r += i;
  printf("%d %s\\n", r, argv[0]);
  return taken(l);
}
""",
    )
    main, taken = found.functions["main"], found.functions["taken"]
    assembly, indirect, printed, last = [
        call for call in steps(main, "call") if not str(getattr(call.callee, "name", "")).startswith(("llvm.", "porf."))
    ]
    assert isinstance(assembly.callee, ir.Unsupported) and "nop" in assembly.callee.text
    assert isinstance(indirect.callee, ir.Register) and indirect.operands == (main.parameters[0],)
    assert printed.callee == ir.Symbol(POINTER, "printf") and len(printed.operands) == 3 and printed.type == I32
    assert last.callee == ir.Symbol(POINTER, "taken")
    assert found.functions["printf"].variadic and not found.functions["printf"].blocks
    (switch,) = steps(main, "switch")
    assert [value.value for value in switch.operands[1:] if isinstance(value, ir.Number)] == [1, -5]
    names = [block.name for block in main.blocks]
    assert len(switch.labels) == 3 and set(switch.labels) <= set(names)
    for phi in steps(main, "phi"):
        assert len(phi.operands) == len(phi.labels) and set(phi.labels) <= set(names)
    assert [register.type for register in main.parameters] == [I32, POINTER]
    assert main.variables[main.parameters[1].name].name == "argv"
    assert taken.copied == {taken.parameters[0].name: ir.Struct("struct.large")}
    assert taken.variables[taken.parameters[0].name].address
    assert {"factorial", "taken"} <= found.functions.keys()  # recursive: still there


def test_what_the_form_has_no_room_for_is_kept_by_its_words(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """#include <stdarg.h>
typedef int four __attribute__((vector_size(16)));
four f = { 1, 2, 3, 4 }; double d; __int128 wide; long double e;
static int sum(int n, ...) { va_list l; va_start(l, n); int s = va_arg(l, int); va_end(l); return s; }
static int jump(int x) { void *t[] = { &&a, &&b }; goto *t[x]; a: return 1; b: return 2; }
int main(int argc, char **argv) {
  f = f * f; f[1] = argc; d = -d * argc; wide += argc; e = e < 2 ? d : 3;
  return sum(1, 2) + jump(argc) + (int)d;
}
""",
    )
    assert found.globals["f"].type == ir.Opaque("< 4 x i32 >")
    assert found.globals["wide"].type == ir.Integer(128)
    main = found.functions["main"]
    assert [step.type for step in steps(main, "fmul")] == [ir.Opaque("double")]
    assert steps(main, "insertelement") and steps(main, "fneg") and steps(main, "sitofp") and steps(main, "fcmp")
    assert steps(found.functions["jump"], "indirectbr")[0].labels


def test_constructors_run_by_priority(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """int x;
__attribute__((constructor)) void late(void) { x = 3; }
__attribute__((constructor(200))) void second(void) { x = 2; }
__attribute__((constructor(101))) void first(void) { x = 1; }
int main(void) { return x; }
""",
    )
    assert found.constructors == ("first", "second", "late")
    with pytest.raises(PorfError, match="destructor"):
        module(tmp_path, "__attribute__((destructor)) void last(void) {} int main(void) { return 0; }")


def test_code_of_other_files_is_where_people_called_it(tmp_path: Path) -> None:
    (tmp_path / "mine.h").write_text("extern int x;\nstatic int get(void) {\n  return x;\n}\n")
    system = tmp_path / "system"
    system.mkdir()
    (system / "theirs.h").write_text("extern int x;\nstatic int take(void) {\n  return x;\n}\n")
    text = '#include "mine.h"\n#include "system/theirs.h"\nint x;\nint main(void) {\n  return get() + take();\n}\n'
    path = tmp_path / "program.c"
    path.write_text(text)
    printed = prepared_text(compile_source(str(path)), str(path), lambda: None)
    loads = steps(parse_module(printed, str(path), [str(system)]).functions["main"], "load")
    places = [load.place for load in loads]
    assert [place and (Path(place.file).name, place.line, place.column) for place in places] == [
        ("mine.h", 3, 10),
        ("program.c", 5, 18),
    ]
    assert places[1] is not None and places[1].file == str(path)


def test_c_plus_plus(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """#include <atomic>
namespace n { struct Base { virtual int get() { return 1; } };
struct Derived : Base { int value = 3; int get() override { return value; } }; }
template <class T> struct Stack { std::atomic<T *> top{nullptr}; int many(int k) { return k ? many(k - 1) : 0; } };
Stack<int> stack; n::Derived derived; int counter = derived.get();
int main() { n::Base *b = &derived; stack.top.store(&counter, std::memory_order_release);
  return b->get() + stack.many(3); }
""",
        "program.cpp",
    )
    main = found.functions["main"]
    stores = {(store.order, store.operands[1]) for store in steps(main, "store")}
    assert ("release", ir.Symbol(POINTER, "stack")) in stores
    titles = {function.title for function in found.functions.values() if function.blocks}
    assert {"main", "n::Derived::get", "Stack<int>::many"} <= titles
    assert len(found.constructors) == 1
    derived = found.globals["derived"].variable
    assert derived is not None
    assert [(name, offset) for name, offset, _ in found.debug.type(derived.type).members] == [("", 0), ("value", 8)]


def test_aliases_are_what_they_stand_for(tmp_path: Path) -> None:
    found = module(
        tmp_path,
        """int x = 1; extern int y __attribute__((alias("x")));
int f(void) { return x; } int g(void) __attribute__((alias("f")));
int (*p)(void) = g;
int main(void) { y = 2; return p(); }
""",
    )
    assert found.globals["p"].initial == ir.Symbol(POINTER, "f")
    (store,) = steps(found.functions["main"], "store")
    assert store.operands[1] == ir.Symbol(POINTER, "x")


def test_exceptions_are_parsed(tmp_path: Path) -> None:
    main = module(
        tmp_path,
        "void f(); struct S { ~S(); }; int main() { S s; try { f(); } catch (int e) { return e; } return 0; }",
        "program.cpp",
        ("-fexceptions", "-frtti"),
    ).functions["main"]
    names = {block.name for block in main.blocks}
    assert all(len(call.labels) == 2 and set(call.labels) <= names for call in steps(main, "invoke"))
    assert steps(main, "invoke") and steps(main, "landingpad")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("define void @f() {\nbb:\n  ret void\n", "without an end"),
        ("define void @f() {\n}\n", "no instructions"),
        ("@x = ifunc i32 (), ptr @resolve\n", "ifunc"),
        ('module asm "nop"\n', "module asm"),
        ("@x = global i32\n", "ends too early"),
        ('target datalayout = "E-p:64:64"\n', "big-endian"),
        ('target datalayout = "e-m:e-p:32:32"\n', "64 bits"),
        ("@x = global " + "[1 x " * 5000 + "i8" + "]" * 5000 + " zeroinitializer\n", "nested too deeply"),
    ],
)
def test_what_is_not_known_is_refused(text: str, said: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_module(text)
    assert said in str(caught.value) and "unsupported" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("catchret from %x to label %y", "the instruction 'catchret'"),
        ("store i32 %x", "ends too early"),
        ("%x = load wrong, ptr %y", "'wrong' where a type"),
        ("ret i32 wrong", "'wrong' where an operand"),
    ],
)
def test_an_instruction_that_is_not_known_is_for_the_executions_that_reach_it(line: str, said: str) -> None:
    (block,) = parse_module(f"define void @f() {{\nbb:\n  {line}\n}}\n").functions["f"].blocks
    (found,) = block.instructions
    assert found.opcode == "unsupported" and said in found.kind


def test_such_an_instruction_has_its_place() -> None:
    text = """define void @f() !dbg !1 {
bb:
  wrong i32 5, !dbg !3
}
!1 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 4)
!2 = !DIFile(filename: "far.c", directory: "/elsewhere")
!3 = !DILocation(line: 17, column: 9, scope: !1)
"""
    (block,) = parse_module(text).functions["f"].blocks
    (found,) = block.instructions
    assert found.kind == "unsupported: the instruction 'wrong'" and found.place == Place(17, 9, "/elsewhere/far.c")


def test_broken_text_is_refused_or_read_but_never_crashes(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        """#include <stdatomic.h>
struct s { int a; struct s *n; } g = { 1, &g }; atomic_int x; const char *t[2] = { "a\\n", "b" };
static int f(int n, double d) { return n ? f(n - 1, d) : (int)d; }
int main(int c, char **v) { int e = 0; switch (c) { case 1: e = 4; break; case 7: return f(c, 1.5); }
  atomic_compare_exchange_strong(&x, &e, 2); atomic_fetch_add(&x, g.a); return g.n->a + t[c][0]; }
"""
    )
    text = prepared_text(compile_source(str(path)), str(path), lambda: None)
    whole = parse_module(text)
    draw = random.Random(6)
    refused = 0
    for _ in range(400):
        changed = _changed(text, draw)
        try:
            found = parse_module(changed)
            for item in found.globals.values():
                found.debug.type(item.variable.type if item.variable else 5)
            refused += any(f.blocks and steps(f, "unsupported") for f in found.functions.values())
        except PorfError:
            refused += 1
    assert 100 < refused < 400
    assert parse_module(text).functions == whole.functions


def _changed(text: str, draw: random.Random) -> str:
    """Cut off, or with some letters lost, doubled, or exchanged for others."""
    if draw.random() < 0.2:
        return text[: draw.randrange(len(text))]
    letters = list(text)
    for _ in range(draw.randrange(1, 30)):
        at = draw.randrange(len(letters))
        letters[at] = draw.choice(
            ["", letters[at] * 2, draw.choice('%@!,()[]{}<>"=0z x'), draw.choice("0123456789\\\n")]
        )
    return "".join(letters)
