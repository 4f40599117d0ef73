"""Kinds of undefined behaviour that people may allow: by what name, what then happens, and which checks that saves."""

from collections.abc import Iterable

from porf.errors import UsageError
from porf.record import Record


class Kind(Record):
    """`says` completes a note in the verdict; `checks` are those of the compiler."""

    says: str
    checks: tuple[str, ...] = ()


KINDS = {
    "overflow": Kind("signed arithmetic wraps around", ("signed-integer-overflow",)),
    "shift": Kind("a shift by too many bits has some result", ("shift",)),
    "index": Kind("an index may leave its array, but not the object", ("array-bounds",)),
    "value": Kind("a bool or an enumeration may have any value", ("bool", "enum")),
    "conversion": Kind("a floating-point number that does not fit becomes some integer", ("float-cast-overflow",)),
    "null-argument": Kind("null may be given where it must not", ("nonnull-attribute", "returns-nonnull-attribute")),
    "builtin": Kind("builtin functions of the compiler accept 0", ("builtin",)),
    "indeterminate": Kind("a local variable that was never set has the value 0"),
    "pointer": Kind("a pointer may be moved out of its object"),
    "alignment": Kind("local variables may be accessed at any address"),
    "type": Kind("a function may be called through a pointer of another type"),
}
ALWAYS = ("integer-divide-by-zero", "unreachable", "return", "vla-bound")  # nothing could happen instead


def checks(allowed: Iterable[str]) -> tuple[str, ...]:
    """The compiler's checks of everything that is not allowed."""
    return (*ALWAYS, *(check for name, kind in KINDS.items() if name not in allowed for check in kind.checks))


def notes(allowed: Iterable[str]) -> list[str]:
    return [f"allowed by --allow {name}: {KINDS[name].says}" for name in sorted(allowed)]


def known(names: Iterable[str]) -> frozenset[str]:
    """The names, if they are all names of kinds."""
    for name in names:
        if name not in KINDS:
            raise UsageError(f"--allow {name}: there is no such kind", hint=f"the kinds are {', '.join(KINDS)}")
    return frozenset(names)
