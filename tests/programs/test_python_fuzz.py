"""Whatever stands in a thread is compiled or refused with its place; nothing else is ever raised."""

from __future__ import annotations

import ast
import inspect
import random
import shlex
import textwrap
from pathlib import Path

import pytest

import porf
from porf.programs.python import load_programs
from tests.programs.test_python_meaning import HEADER, Writer

EXPRESSIONS = """x a d a[0] a[u] a[1.5] a[9] p m TABLE None 1.5 [1,2] (u,v) (1,2) {} helper helper(1) helper(u,v,w)
x.load x.load(release) x.compare_exchange(0,1) spawn(helper,1) join(helper) join(thread) address(x) at(u) at(u,N)
range(3) u.v
x.value a.value a[1:2] a[u,v] fence() assume(u) (yield) (q:=1) N[0] TABLE[9] TABLE[u] 2**100 1<<-1 len(a) len(u) min(u)
max() abs(x) int() bool(u,v) print(u) acquire nosuch len x.store(1) thread change(1) enumerate(a) zip(a,a) sum(TABLE)
tuple(a) sorted(a) x.declaration porf porf.program m.trylock() {u:v} -x ~a u/v u@v u**v"""
TARGETS = "x a[0] d.value x.value u a (u,v) [u,v] helper N (*u,v)"

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")


class Mutation(ast.NodeTransformer):
    """Puts other expressions in place of some."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        if not isinstance(node, ast.expr) or self.random.random() > 0.02:
            return node
        if isinstance(getattr(node, "ctx", None), ast.Store):
            [assignment] = ast.parse(f"{self.random.choice(TARGETS.split())} = 1").body
            assert isinstance(assignment, ast.Assign)
            return assignment.targets[0]
        return ast.parse(self.random.choice(EXPRESSIONS.split()), mode="eval").body


@pytest.mark.parametrize("group", range(4))
def test_mutated_threads(tmp_path: Path, group: int) -> None:
    path = tmp_path / "mutated.py"
    for seed in range(group * 40, group * 40 + 40):
        tree = ast.parse(Writer(seed).program())
        for function in tree.body:
            assert isinstance(function, ast.FunctionDef)
            function.body = [Mutation(seed).visit(statement) for statement in function.body]
        path.write_text(HEADER + ast.unparse(ast.fix_missing_locations(tree)), encoding="utf-8")
        try:
            load_programs(str(path))
        except porf.ProgramError as error:
            assert error.line is not None, str(error)


@pytest.mark.parametrize("module", [ast, inspect, random, shlex, textwrap])
def test_functions_that_are_not_meant_for_it(module: object) -> None:
    for _, function in inspect.getmembers(module, inspect.isfunction):
        p = porf.program("stranger")
        things = [1, p.int("x"), p.array("a", 2), p.mutex("m"), "text", (1, 2)]
        arguments = [things[n % 6] for n in range(len(inspect.signature(function).parameters))]
        try:
            p.thread(args=[tuple(arguments)])(function)
            p.build()
        except porf.PorfError as error:
            assert str(error)
