"""Records: classes whose annotations are their fields, frozen, as trees and their like have many of."""

from dataclasses import Field, dataclass
from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Record:
    """Every class derived from it is a frozen dataclass; `eq=False` where each object is its own."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls, eq: bool = True) -> None:
        dataclass(frozen=True, eq=eq)(cls)
