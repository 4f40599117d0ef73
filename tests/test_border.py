"""The border to the core: the types that mypy sees are those of the built module, and columns cross without a copy."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from nanobind.stubgen import StubGen

import porf
from porf import _core
from porf.execution import Int32, UInt8

ROW: Int32 = np.zeros(1, np.int32)
BYTE: UInt8 = np.ones(1, np.uint8)
FROM_INITIAL: Int32 = np.full(1, -1, np.int32)


def test_the_types_are_those_of_the_built_module() -> None:
    stub = StubGen(_core, quiet=True)
    stub.put(_core)
    named = "\n    __slotnames__: list = []\n"  # what pickling leaves behind in classes
    assert Path(porf.__file__).with_name("_core.pyi").read_text() == stub.get().replace(named, "")


def test_columns_are_held_and_not_copied() -> None:
    thread, op = ROW.copy(), BYTE.copy()
    before = sys.getrefcount(thread), sys.getrefcount(op)
    held = _core.Execution(thread, op, ROW, BYTE, ROW, 1, 1)
    assert sys.getrefcount(thread) > before[0] and sys.getrefcount(op) > before[1]
    assert _core.row_order_is_sequential(held)  # a write reads nothing
    op[0] = _core.Op.READ
    assert not _core.row_order_is_sequential(held)  # of itself
    del held
    assert (sys.getrefcount(thread), sys.getrefcount(op)) == before


def test_columns_have_one_length() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        _core.Execution(ROW, BYTE, ROW, BYTE, np.full(2, -1, np.int32), 1, 1)
    pairs = [(ROW, ROW), (ROW, ROW[:0]), (ROW, ROW), (ROW, ROW)]
    with pytest.raises(ValueError, match="different lengths"):
        _core.Execution(ROW, BYTE, ROW, BYTE, FROM_INITIAL, 1, 1, pairs)
    with pytest.raises(ValueError, match="different lengths"):
        _core.Execution(ROW, BYTE, ROW, BYTE, FROM_INITIAL, 1, 1, None, (np.zeros(2, np.uint64), 0, 0))


def test_an_answer_is_its_word() -> None:
    assert f"{_core.Answer.CONSISTENT}" == str(_core.Answer.CONSISTENT) == "consistent"
    assert pickle.loads(pickle.dumps(_core.Answer.UNDECIDED)) is _core.Answer.UNDECIDED


def test_an_execution_that_was_checked_can_be_pickled() -> None:
    execution = porf.loads("T0 w x 1\nT1 r x 1\n")
    assert porf.check(execution, "ra").consistent
    assert len(pickle.loads(pickle.dumps(execution))) == 2


def test_kernels_are_found_by_the_names_of_models() -> None:
    execution = porf.loads("T0 w x 1\nT1 r x 1\n").core
    assert _core.run_kernel("ra", execution, _core.Budget()).answer is _core.Answer.CONSISTENT
    with pytest.raises(ValueError, match="no kernel for nobody"):
        _core.run_kernel("nobody", execution, _core.Budget())
