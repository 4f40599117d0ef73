"""Nodes that exist once per content: equal nodes are identical, so parts are shared and compared at once."""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform
from weakref import WeakValueDictionary


@dataclass_transform(eq_default=False, frozen_default=True)
class Once(type):
    """The metaclass of such nodes: their annotations are their fields, in order."""

    _known: ClassVar[WeakValueDictionary[tuple[object, ...], Any]] = WeakValueDictionary()
    _defaults: tuple[object, ...]
    __match_args__: tuple[str, ...]

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Once:
        fields = tuple(space.get("__annotations__", ()))
        defaults = tuple(space.pop(field) for field in fields if field in space)
        space |= {"__slots__": fields, "__match_args__": fields, "_defaults": defaults}
        return super().__new__(cls, name, bases, space)

    def __call__(cls, *values: Any) -> Any:
        missing = len(cls.__match_args__) - len(values)
        if missing:
            values += cls._defaults[-missing:]
        key = (cls, *values)
        found = cls._known.get(key)
        if found is None:
            found = super().__call__()
            for name, value in zip(cls.__match_args__, values, strict=True):
                setattr(found, name, value)
            found.settle()
            found = cls._known.setdefault(key, found)
        return found


class Node:
    """What every such class is derived from."""

    __slots__ = ("__weakref__",)
    __match_args__: tuple[str, ...] = ()

    def settle(self) -> None:
        """Works out what follows from the fields, once."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(getattr(self, name)) for name in self.__match_args__)})"
