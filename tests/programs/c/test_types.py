"""Sizes and offsets of x86-64's data layout."""

from __future__ import annotations

import pytest

from porf.errors import ProgramError
from porf.programs.c import ir
from porf.programs.c.types import Types
from tests.programs.c.by_hand import I1, I8, I16, I32, I64, PTR


@pytest.mark.parametrize(
    ("type", "size", "alignment"),
    [
        (I1, 1, 1),
        (I8, 1, 1),
        (I16, 2, 2),
        (ir.Integer(24), 4, 4),
        (I32, 4, 4),
        (ir.Integer(33), 8, 8),
        (PTR, 8, 8),
        (ir.Integer(128), 16, 16),
        (ir.Opaque("double"), 8, 8),
        (ir.Opaque("<4 x i32>"), 16, 16),
        (ir.Array(3, I16), 6, 2),
        (ir.Array(0, I64), 0, 8),
        (ir.Struct("", (I8, I32, I8)), 12, 4),
        (ir.Struct("", (I8, I32, I8), packed=True), 6, 1),
        (ir.Struct("", ()), 0, 1),
        (ir.Struct("pair"), 16, 8),
        (ir.Array(2, ir.Struct("", (I64, I8))), 32, 8),
    ],
)
def test_size_and_alignment(type: ir.Type, size: int, alignment: int) -> None:
    types = Types({"pair": ir.Struct("pair", (I32, PTR))})
    assert (types.size(type), types.alignment(type)) == (size, alignment)


def test_leaves_skip_the_padding() -> None:
    types = Types({"pair": ir.Struct("pair", (I32, PTR))})
    assert types.leaves(ir.Array(2, ir.Struct("pair"))) == [(0, I32), (8, PTR), (16, I32), (24, PTR)]
    assert types.offset(ir.Struct("pair"), 1) == 8
    assert types.offset(ir.Array(9, I16), 4) == 8


def test_a_structure_that_is_only_declared_has_no_size() -> None:
    with pytest.raises(ProgramError, match=r"'struct\.secret', which is only declared"):
        Types({}).size(ir.Struct("struct.secret"))
