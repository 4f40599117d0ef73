"""Records behave as frozen dataclasses do, without their code being written at import."""

from __future__ import annotations

import pickle
from dataclasses import asdict, fields
from dataclasses import replace as replaced
from functools import cached_property

import pytest

from porf.record import Record, field, replace


class Point(Record):
    x: int
    y: int = 0

    @cached_property
    def size(self) -> int:
        return self.x + self.y


class Named(Point):
    name: str = ""
    tags: list[str] = field(default_factory=list)


class Own(Record, eq=False):
    x: int = 1


class Tally(Record, frozen=False):
    count: int = 0


class Positive(Record):
    x: int

    def __post_init__(self) -> None:
        if self.x <= 0:
            raise ValueError("not positive")


def test_fields_are_given_by_position_or_name() -> None:
    assert Point(1) == Point(x=1) == Point(1, 0) != Point(1, 2)
    assert Named(1, 2, "a") == Named(name="a", x=1, y=2)
    assert repr(Named(1, name="a")) == "Named(x=1, y=0, name='a', tags=[])"
    assert Named(1).tags is not Named(1).tags


@pytest.mark.parametrize("given", [{}, {"x": 1, "z": 2}, {"y": 2}])
def test_what_is_missing_or_unknown_is_refused(given: dict[str, int]) -> None:
    with pytest.raises(TypeError):
        Point(**given)
    with pytest.raises(TypeError):
        Point(1, 2, 3)  # type: ignore[call-arg]


def test_frozen_records_do_not_change() -> None:
    point = Point(1)
    with pytest.raises(AttributeError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    tally = Tally()
    tally.count += 1
    assert tally == Tally(1)
    with pytest.raises(TypeError):
        hash(tally)


def test_equality_and_hash_look_at_fields_alone() -> None:
    point = Point(1, 2)
    assert point.size == 3 and point == Point(1, 2) and hash(point) == hash(Point(1, 2))
    assert len({Point(1), Point(1), Point(2)}) == 2 and Point(1) != Named(1)
    assert Own() != Own() and len({Own(), Own()}) == 2


def test_one_record_is_made_of_another() -> None:
    point = Point(1, 2)
    assert point.size == 3
    assert replace(point, y=5) == replaced(point, y=5) == Point(1, 5) and replace(point, y=5).size == 6
    with pytest.raises(TypeError):
        replace(point, z=5)
    with pytest.raises(ValueError, match="not positive"):
        replace(Positive(1), x=0)


def test_the_functions_for_dataclasses_know_them() -> None:
    assert asdict(Named(1)) == {"x": 1, "y": 0, "name": "", "tags": []}
    assert [known.name for known in fields(Point)] == ["x", "y"]
    assert pickle.loads(pickle.dumps(Named(1, 2, "a"))) == Named(1, 2, "a")
    match Point(3, 4):
        case Point(x, y):
            assert (x, y) == (3, 4)


def test_what_dataclasses_ask_for_is_made_once_for_each_class() -> None:
    assert [f.name for f in fields(Point)] == ["x", "y"]
    assert [f.name for f in fields(Named)] == ["x", "y", "name", "tags"]
    assert fields(Point)[0] is fields(Point)[0]
