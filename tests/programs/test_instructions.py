"""The table of instructions, as Python sees it: what each reads, sets and prints."""

from __future__ import annotations

import pickle

import pytest

from porf.programs.form import FACTS, KINDS, Binary, Callee, Instruction, Onward, Opcode, Sort, sort_of
from porf.programs.liveness import live_at, sets, successors, uses

FIELDS = set("abcde")


@pytest.mark.parametrize("opcode", Opcode)
def test_the_row_of_an_instruction_is_sound(opcode: Opcode) -> None:
    facts = FACTS[opcode]
    operands = facts.reads + facts.sets + facts.counters + facts.list + facts.target
    assert set(operands) <= FIELDS
    assert len(set(operands)) == len(operands)  # a field is one thing
    assert len(facts.list) <= 1
    assert (facts.target != "") == (facts.onward in (Onward.JUMP, Onward.BRANCH))
    named = {letter for letter in FIELDS if f"{{{letter}}}" in facts.text}
    assert set(operands) <= named  # all that it does is printed
    assert ("{kind}" in facts.text) == (KINDS[opcode] is not None)
    assert pickle.loads(pickle.dumps(opcode)) is opcode


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (Instruction(Opcode.BINARY, a=3, b=1, c=~0, kind=Binary.ADD), "r3 := r1 add #0"),
        (Instruction(Opcode.JUMP_IF, a=7, b=2), "go to 7 if r2"),
        (Instruction(Opcode.CAS, a=1, b=2, c=~1, d=3, e=4), "r1 := [r2], r4 := r1 == #1, [r2] := r3 if r4"),
    ],
)
def test_an_instruction_prints(instruction: Instruction, text: str) -> None:
    assert str(instruction) == text


def test_what_an_instruction_reads_and_sets() -> None:
    lists = [(4, ~2, 5)]
    by_number = Instruction(Opcode.CALL, a=1, b=2, c=0, d=0)
    assert uses(by_number, lists) == {4, 5}
    assert uses(Instruction(Opcode.CALL, a=1, b=2, d=0, kind=Callee.POINTER), lists) == {2, 4, 5}
    assert sets(by_number) == {1}
    assert sets(Instruction(Opcode.CAS, a=1, b=2, c=3, d=4, e=5)) == {1, 5}
    assert live_at([Instruction(Opcode.EXIT, b=1)], lists, [0], observed=(2,)) == [{1, 2}]


def test_where_an_instruction_leads() -> None:
    assert successors(Instruction(Opcode.MOVE), 3) == (4,)
    assert successors(Instruction(Opcode.JUMP, a=9), 3) == (9,)
    assert successors(Instruction(Opcode.JUMP_UNLESS, a=9), 3) == (4, 9)
    assert successors(Instruction(Opcode.BACK, c=1), 3) == (1,)
    assert successors(Instruction(Opcode.RETURN), 3) == ()


def test_operations_by_their_sort() -> None:
    assert {kind for kind in Binary if sort_of(kind) is Sort.BITWISE} == {Binary.AND, Binary.OR, Binary.XOR}
    assert {kind.name for kind in Binary if sort_of(kind) is Sort.DIVISION} == {
        "DIV", "MOD", "UDIV", "UMOD", "FLOORDIV", "FLOORMOD",
    }  # fmt: skip
