"""The names and widths of memory, from sources as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from porf.programs.c import ir, read_module
from porf.programs.c.memory import Memory
from porf.programs.c.private import private_allocas
from porf.programs.c.reachable import reachable
from porf.programs.c.types import Types
from porf.programs.form import Object

IN_C = """
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
typedef struct { int version, index; } tag;
struct queue { _Atomic(struct node *) head; struct node dummy; pthread_mutex_t lock; unsigned a : 3, b : 7; };
struct queue q = {.dummy = {7, &q.dummy}, .a = 5, .b = 9};
_Atomic tag top;
struct { int first; _Atomic tag inner; } holder;
int table[2][2] = {{1, 2}, {3, 4}};
atomic_flag flag;
sem_t s;
union { int i; unsigned u; } same = {1};
union { int i; char *p; } different = {2};
struct { union { int x; int y; }; int z; } anonymous = {{1}, 2};
unsigned char byte = 200;
static _Thread_local long mine = -1;

void *work(void *argument) {
  static int calls = 3;
  struct node *n = malloc(sizeof *n);
  int *numbers = calloc(4, sizeof(int));
  n->value = *(int *)argument + calls++ + numbers[0] + byte + table[1][0] + same.i + different.i + anonymous.z;
  n->next = atomic_load(&q.head);
  atomic_store(&q.head, malloc(sizeof(struct node)));
  tag t = atomic_load(&top), u = atomic_load(&holder.inner);
  q.b = t.index + u.index + mine;
  while (atomic_flag_test_and_set(&flag));
  sem_wait(&s);
  return n;
}

int main(void) {
  pthread_t t;
  int ids[2] = {1, 2}, own[2] = {3, 4};
  for (int i = 0; i < 2; i++) own[i]++;
  pthread_create(&t, 0, work, &ids[own[0] - 4]);
  pthread_join(t, 0);
}
"""
IN_CPP = """
#include <atomic>
#include <mutex>
namespace n { struct Node { int value; std::atomic<Node *> next{nullptr}; }; }
std::atomic<int> x{3};
std::atomic<bool> flags[2];
std::mutex m;
n::Node *head;
int main() {
  m.lock();
  x++;
  flags[1] = true;
  head = new n::Node();
}
"""


def read(tmp_path: Path, name: str, text: str) -> tuple[ir.Module, Memory]:
    file = tmp_path / name
    file.write_text(text)
    module = read_module(str(file))
    found = reachable(module, ["main", *module.constructors, "work"])
    return module, Memory(module, Types(module.structs), {"main": 0, "work": 1}, found)


def described(item: Object) -> list[tuple[str, int, int]]:
    return [(c.label, c.offset, c.width) for c in item.cells]


def by_name(memory: Memory, name: str) -> Object:
    return next(item for item in memory.objects if item.name == name)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("table", [("table[0][0]", 0, 4), ("table[0][1]", 4, 4), ("table[1][0]", 8, 4), ("table[1][1]", 12, 4)]),
        ("top", [("top", 0, 8)]),
        ("holder", [("holder.first", 0, 4), ("holder.inner", 8, 8)]),
        ("flag", [("flag", 0, 1)]),
        ("s", [("s", 0, 4), ("s+4", 4, 4), ("s+8", 8, 4), ("s+12", 12, 4)]),
        ("same", [("same.i", 0, 4)]),
        ("different", [("different.i", 0, 4), ("different+4", 4, 4)]),
        ("anonymous", [("anonymous.x", 0, 4), ("anonymous.z", 4, 4)]),
        ("calls", [("calls", 0, 4)]),
        (
            "q",
            [("q.head", 0, 8), ("q.dummy.value", 8, 4), ("q.dummy.next", 16, 8), ("q.lock", 24, 4), ("q.a", 64, 2)],
        ),
    ],
)
def test_globals_of_c(tmp_path: Path, name: str, cells: list[tuple[str, int, int]]) -> None:
    _, memory = read(tmp_path, "a.c", IN_C)
    assert described(by_name(memory, name)) == cells


def test_initial_values_of_c(tmp_path: Path) -> None:
    _, memory = read(tmp_path, "a.c", IN_C)
    q = by_name(memory, "q")
    at = memory.value(ir.Symbol(ir.Pointer(), "q"))
    assert [c.initial for c in q.cells] == [0, 7, at + 8, 0, 5 | 9 << 3]
    assert [c.initial for c in by_name(memory, "table").cells] == [1, 2, 3, 4]
    assert by_name(memory, "byte").cells[0].initial == 200
    assert [local.words for local in memory.locals] == [(-1,)]


def test_allocations_of_c(tmp_path: Path) -> None:
    module, memory = read(tmp_path, "a.c", IN_C)
    for function in module.functions.values():
        for instruction in (i for block in function.blocks for i in block.instructions):
            if isinstance(instruction.callee, ir.Symbol) and instruction.callee.name in ("malloc", "calloc"):
                memory.heap_layout(function, instruction)
    node = ("node", [("value", 0, 4), ("next", 8, 8)])
    assert [(o.name, described(o)) for o in memory.layouts] == [node, ("numbers", [("", 0, 4)]), node]
    private = private_allocas(module)["main"]
    variables = module.functions["main"].variables
    assert {variables[name].name for name in private} == {"t", "own"}


def test_globals_of_cpp(tmp_path: Path) -> None:
    module, memory = read(tmp_path, "a.cpp", IN_CPP)
    assert described(by_name(memory, "x")) == [("x", 0, 4)]
    assert by_name(memory, "x").cells[0].initial == 3
    assert described(by_name(memory, "flags")) == [("flags[0]", 0, 1), ("flags[1]", 1, 1)]
    assert described(by_name(memory, "m")) == [("m", 0, 4)]
    main = module.functions["main"]
    new = [i for b in main.blocks for i in b.instructions if i.callee == ir.Symbol(ir.Pointer(), "_Znwm")]
    layout = memory.layouts[memory.heap_layout(main, new[0])]
    assert (layout.name, described(layout)) == ("Node", [("value", 0, 4), ("next", 8, 8)])
