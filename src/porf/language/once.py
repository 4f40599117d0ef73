"""Nodes of which there is one for each content: what is equal is the same, so parts are shared and compared at once."""

from __future__ import annotations

from typing import Any, ClassVar
from weakref import WeakValueDictionary


class Once(type):
    """The metaclass of such nodes: frozen dataclasses with `eq=False` and a slot for weak references."""

    _known: ClassVar[WeakValueDictionary[tuple[object, ...], Any]] = WeakValueDictionary()

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        made = super().__call__(*arguments, **named)
        key = (cls, *(getattr(made, name) for name in made.__match_args__))
        return cls._known.setdefault(key, made)
