"""Records: classes whose annotations are their fields, frozen, as trees and their like have many of.

They are what the standard library's dataclasses are, and its functions take them for such; but dataclasses write and
compile code for every class when it is imported, which takes longer than exploring a small program. Here classes share
a few functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, ClassVar, TypeVar, dataclass_transform

R = TypeVar("R", bound="Record")
T = TypeVar("T")


class _Made:
    """Stands for a default that is made for each record anew."""

    def __init__(self, maker: Callable[[], object]) -> None:
        self.maker = maker


class _Fields:
    """What the functions of `dataclasses` want to know of a class, made when one of them first asks."""

    def __init__(self) -> None:
        self._known: dict[type, dict[str, Any]] = {}

    def __get__(self, _: object, record: type[Record]) -> dict[str, Any]:
        if record not in self._known:
            from dataclasses import make_dataclass

            alike: Any = make_dataclass(record.__name__, record.__fields__)
            self._known[record] = alike.__dataclass_fields__
        return self._known[record]


def field(*, default_factory: Callable[[], T]) -> T:
    """A default that is not shared among records."""
    made: Any = _Made(default_factory)
    return made  # type: ignore[no-any-return]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """Every class derived from it has its annotations as fields, after those of the classes that it is derived from;
    `eq=False` where each object is its own, `frozen=False` where it may change."""

    __fields__: ClassVar[tuple[str, ...]] = ()
    __defaults__: ClassVar[Mapping[str, Any]] = {}
    __dataclass_fields__: ClassVar[Any] = _Fields()
    __values__: ClassVar[Callable[[Any], Any]] = staticmethod(lambda _: ())

    def __init_subclass__(cls, eq: bool = True, frozen: bool = True) -> None:
        own = [name for name, kind in cls.__annotations__.items() if "ClassVar" not in str(kind)]
        fields = tuple(dict.fromkeys([*cls.__fields__, *own]))
        cls.__fields__ = fields
        cls.__match_args__ = fields  # type: ignore[attr-defined, misc]
        cls.__defaults__ = {**cls.__defaults__, **{name: cls.__dict__[name] for name in own if name in cls.__dict__}}
        for name in own:
            if isinstance(cls.__dict__.get(name), _Made):
                delattr(cls, name)
        if "__init__" not in cls.__dict__:
            cls.__init__ = _initialiser(fields, cls.__defaults__, getattr(cls, "__post_init__", None))  # type: ignore[method-assign]
        if fields:
            cls.__values__ = attrgetter(*fields)
        if not eq:
            cls.__eq__, cls.__hash__ = object.__eq__, object.__hash__  # type: ignore[method-assign]
        elif not frozen:
            cls.__hash__ = None  # type: ignore[assignment]
        if not frozen:
            cls.__setattr__ = object.__setattr__  # type: ignore[method-assign, assignment]
            cls.__delattr__ = object.__delattr__  # type: ignore[method-assign]

    def __eq__(self, other: object) -> bool:
        if self.__class__ is other.__class__:
            return bool(type(self).__values__(self) == type(self).__values__(other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(type(self).__values__(self))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__fields__)
        return f"{type(self).__qualname__}({said})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"'{name}' of a record does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"'{name}' of a record does not change")


def _initialiser(
    fields: tuple[str, ...], defaults: Mapping[str, Any], after: Callable[[Any], None] | None
) -> Callable[..., None]:
    made = {name: value.maker for name, value in defaults.items() if isinstance(value, _Made)}
    plain = {name: value for name, value in defaults.items() if name not in made}
    count = len(fields)

    def initialise(self: Record, *given: Any, **named: Any) -> None:
        state = self.__dict__
        if len(given) < count:
            state.update(plain)
        state.update(zip(fields, given))  # noqa: B905 as many as are given, and `strict` takes time
        if named:
            state.update(named)
        if made:
            for name, maker in made.items():
                if name not in state:
                    state[name] = maker()
        if len(state) != count or len(given) + len(named) > count:
            raise TypeError(f"{type(self).__qualname__}: {len(given)} values and {sorted(named)} for {fields}")
        if after is not None:
            after(self)

    return initialise


def replace(record: R, **changes: Any) -> R:
    """The same record with other values of some fields."""
    known = record.__dict__
    fields = record.__fields__
    if hasattr(record, "__post_init__"):
        return type(record)(**{**{name: known[name] for name in fields}, **changes})
    found = object.__new__(type(record))
    state = found.__dict__
    state.update(known if len(known) == len(fields) else {name: known[name] for name in fields})
    state.update(changes)
    if len(state) != len(fields):
        raise TypeError(f"{type(record).__qualname__} has no {changes.keys() - {*fields}}")
    return found
