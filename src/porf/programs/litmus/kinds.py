"""The types of C that litmus tests use: integers, pointers, mutexes; and what arithmetic makes of two of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal


@dataclass(frozen=True, slots=True)
class Type:
    """A type. Two are equal if they hold the same values; `name` and `atomic` are for messages and accesses."""

    name: str = field(compare=False)
    kind: Literal["integer", "bool", "pointer", "mutex", "void"]
    width: int  # bytes
    signed: bool = True
    atomic: bool = field(default=False, compare=False)
    target: Type | None = None  # of a pointer

    @property
    def is_number(self) -> bool:
        return self.kind in ("integer", "bool")

    def holds(self, other: Type) -> bool:
        """Whether every value of the other number type is one of this."""
        if self == other or self.width == 8 or (self.kind == "integer" and other.kind == "bool"):
            return True
        if self.kind == "bool":
            return False
        return self.width > other.width and (self.signed or not other.signed)

    def wrap(self, value: int) -> int:
        """The value of this type that the number becomes; 64 bits are kept signed, as registers are."""
        if self.kind == "bool":
            return int(value != 0)
        bits = 8 * self.width
        value %= 1 << bits
        return value - (1 << bits) if value >> (bits - 1) and (self.signed or bits == 64) else value


def pointer_to(target: Type) -> Type:
    return Type(f"{target.name}*", "pointer", 8, target=target)


def wide(base: Type) -> Type:
    """A number that has room for a pointer."""
    return base if base.width == 8 else replace(base, width=8)


def atomic(base: Type) -> Type:
    return base if base.atomic else replace(base, name=f"_Atomic({base.name})", atomic=True)


VOID = Type("void", "void", 0)
BOOL = Type("bool", "bool", 1, signed=False)
INT = Type("int", "integer", 4)
UNSIGNED = Type("unsigned", "integer", 4, signed=False)
LONG = Type("long", "integer", 8)
UNSIGNED_LONG = Type("unsigned long", "integer", 8, signed=False)

QUALIFIERS = frozenset({"const", "volatile", "static", "register", "extern", "restrict", "_Atomic"})
# These combine, as in `unsigned long int`.
WORDS = frozenset({"int", "char", "short", "long", "signed", "unsigned"})


def _integers() -> dict[str, Type]:
    out = {"bool": BOOL, "_Bool": BOOL, "void": VOID, "size_t": UNSIGNED_LONG, "ssize_t": LONG}
    for bits in (8, 16, 32, 64):
        for signed, letter in ((True, ""), (False, "u")):
            name = f"{letter}int{bits}_t"
            out[name] = Type(name, "integer", bits // 8, signed)
    out |= {name: replace(LONG, name=name) for name in ("intptr_t", "ptrdiff_t")}
    out["uintptr_t"] = replace(UNSIGNED_LONG, name="uintptr_t")
    plain = {"char": (1, True), "short": (2, True), "int": (4, True), "long": (8, True), "llong": (8, True)}
    plain |= {f"u{name}": (width, False) for name, (width, _) in plain.items()} | {"schar": (1, True)}
    out |= {
        f"atomic_{name}": Type(f"atomic_{name}", "integer", width, signed, True)
        for name, (width, signed) in plain.items()
    }
    for name in ("size_t", "intptr_t", "uintptr_t", "ptrdiff_t", "bool"):
        out[f"atomic_{name}"] = replace(out[name], name=f"atomic_{name}", atomic=True)
    out["atomic_flag"] = replace(BOOL, name="atomic_flag", atomic=True)
    out["atomic_t"] = Type("atomic_t", "integer", 4, True, True)
    return out


NAMED: dict[str, Type] = _integers() | {
    name: Type(name, "mutex", 8) for name in ("pthread_mutex_t", "mtx_t", "mutex_t", "mutex", "spinlock_t")
}
STRUCTURES = {"srcu_struct": Type("struct srcu_struct", "integer", 4)}  # of the Linux kernel; others are not read
UNSUPPORTED = {
    "struct": "structures",
    "union": "unions",
    "enum": "enumerations",
    "typedef": "type definitions",
    "float": "floating-point numbers",
    "double": "floating-point numbers",
    "__int128": "128-bit numbers",
    "__int128_t": "128-bit numbers",
}
TYPE_NAMES = QUALIFIERS | WORDS | NAMED.keys() | UNSUPPORTED.keys()


def combined(words: list[str]) -> Type | None:
    """The type that these words of C make together, or None if they make none."""
    rest = [word for word in words if word not in ("int", "signed", "unsigned")]
    if words.count("int") > 1 or words.count("signed") + words.count("unsigned") > 1:
        return None
    width = {(): 4, ("char",): 1, ("short",): 2, ("long",): 8, ("long", "long"): 8}.get(tuple(rest))
    if width is None or ("char" in rest and "int" in words):
        return None
    return Type(" ".join(words), "integer", width, "unsigned" not in words)


def promoted(kind: Type) -> Type:
    """What a number becomes before arithmetic: nothing narrower than int."""
    return INT if kind.width < 4 else kind


def common(left: Type, right: Type) -> Type:
    """The type in which C computes with two numbers."""
    left, right = promoted(left), promoted(right)
    if left.width != right.width:
        return left if left.width > right.width else right
    return right if left.signed else left
