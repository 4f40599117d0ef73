"""What the text format means: names, values, orders, references forward and back, and values that decide."""

from __future__ import annotations

import numpy as np
import pytest

from porf import formats
from porf.execution import NO_VALUE, Execution, Order

EXAMPLE = """\
# thread op location value [order] [key=value …]
T0 w x 1 rel id=a
T0 r y 0 acq

T1 u y 0->1 acq_rel rf=init    # update: reads 0, writes 1
T1 f sc                        # fence
T1 f id=c
T1 r x 1 acq rf=a data=c,b id=d
T1 r x 0x1 ctrl=d#comment
init z 7
T1 w w -0x10 na id=e
"""


def test_the_example_of_the_documentation() -> None:
    execution = formats.loads(EXAMPLE.replace("data=c,b", "data=c"))
    assert execution.thread.tolist() == [0, 0, 1, 1, 1, 1, 1, 1]
    assert execution.op.tolist() == [1, 0, 2, 3, 3, 0, 0, 1]
    assert execution.loc.tolist() == [0, 1, 1, -1, -1, 0, 0, 3]
    assert execution.order.tolist() == [Order.REL, Order.ACQ, Order.ACQ_REL, Order.SC, 1, Order.ACQ, 1, 0]
    assert execution.rf.tolist() == [-1, -1, -1, -1, -1, 0, 0, -1]
    assert execution.thread_names == ["T0", "T1"]
    assert execution.loc_names == ["x", "y", "z", "w"]
    assert execution.init_value.tolist() == [0, 0, 7, 0]
    none = NO_VALUE
    assert execution.read_value is not None and execution.written_value is not None
    assert execution.read_value.tolist() == [none, 0, 0, none, none, 1, 1, none]
    assert execution.written_value.tolist() == [1, none, 1, none, none, none, none, -16]
    assert execution.id_rows.tolist() == [0, 4, 5, 7]
    assert execution.id_names == ["a", "c", "d", "e"]
    pairs = {kind: [side.tolist() for side in pair] for kind, pair in execution.dependencies.items()}
    assert pairs == {"data": [[4], [5]], "ctrl": [[5], [6]]}


@pytest.mark.parametrize(
    ("text", "rf"),
    [
        ("T1 r x 1\nT0 w x 1\n", [1, -1]),  # forward, by value
        ("T1 r x 1 rf=a\nT0 w x 1 id=a\n", [1, -1]),  # forward, by id
        ("T0 w x 1\nT1 r x 0\n", [-1, -1]),
        ("T0 w x 0\nT1 r x 0 rf=init\n", [-1, -1]),
        ("T0 w x 1\nT1 u x 1->1\n", [-1, 0]),  # not its own value, if there is another
        ("T1 u x 1->1\nT0 w x 1\n", [1, -1]),
        ("T1 u x 1->1\n", [0]),
        ("T1 u x 0->0\n", [-1]),
        ("T1 u x 1->1 rf=a id=a\n", [0]),
        ("T0 u x 2->1\nT1 u x 1->2\n", [1, 0]),  # a cycle of rf is for the model to judge
        ("T0 w x _ id=a\nT1 r x 5 rf=a\n", [-1, 0]),
        ("T0 w x _ id=a\nT1 r x _ rf=a\nT1 u x _->_ rf=a", [-1, 0, 0]),
        ("T0 w x 9223372036854775807\nT1 r x 0x7FFFFFFFFFFFFFFF\n", [-1, 0]),
        ("T0 w x -9223372036854775807\nT1 r x -0x7fffffffffffffff\n", [-1, 0]),
        ("T0 w x 007\r\nT1 r x 7\r\n", [-1, 0]),
        ("\ufeffT0\tw\tx\t1\nT1 r x 1", [-1, 0]),
    ],
)
def test_who_is_read(text: str, rf: list[int]) -> None:
    assert formats.loads(text).rf.tolist() == rf


def test_names_may_be_almost_anything() -> None:
    execution = formats.loads("thread-1 w head->next 1 id=é☃\n0 r head->next 1\n w, w init 1\ninit init 3\n")
    assert execution.thread_names == ["thread-1", "0", "w,"]
    assert execution.loc_names == ["head->next", "init"]
    assert execution.id_names == ["é☃"]


def test_values_that_were_not_recorded_make_no_column() -> None:
    execution = formats.loads("T0 w x _\nT1 r x _ rf=init\n")
    assert execution.read_value is None and execution.written_value is None


def test_writing_says_only_what_is_needed() -> None:
    text = "init x 2\nT0 w x 1 id=a\nT0 w x 1\nT1 r x 1 rf=a\nT1 r x 2\nT1 u x _->3 acq rf=init\n"
    assert formats.dumps(formats.loads(text)).decode() == text
    unnamed = "T0 w x _ id=e7\nT0 w x _ id=b\nT1 r x _ rf=b\n"
    execution = formats.loads(unnamed)
    without = Execution(**{**execution.__dict__, "id_rows": execution.id_rows[:1], "id_names": ["e7"]})
    assert formats.dumps(without).decode() == unnamed.replace("=b", "=_e1")


def test_many_names_stay_packed() -> None:
    lines = "".join(f"T{i % 3} w é{i} 1 id=e{i}\n" for i in range(5000))
    execution = formats.loads(lines)
    assert not isinstance(execution.id_names, list)
    assert len(execution.id_names) == 5000
    assert execution.id_names[4999] == execution.id_names[-1] == "e4999"
    assert list(execution.id_names)[:2] == execution.id_names[:2] == ["e0", "e1"]
    assert execution.loc_names[7] == "é7" and list(execution.loc_names)[7] == "é7"
    assert execution.name(17) == "e17"
    with pytest.raises(IndexError):
        execution.id_names[5000]
    assert formats.dumps(execution).decode() == lines
    assert np.array_equal(formats.loads(formats.dumps(execution, "npz"), "npz").loc, execution.loc)
