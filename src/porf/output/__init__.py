"""Results in files. Each module here is one form: it names its suffixes and renders results; the suffix chooses it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from porf.errors import UsageError
from porf.result import Result


class Form(Protocol):
    """What a module of this package has; with `ERRORS_TOO = True`, it is also written if all inputs are wrong."""

    SUFFIXES: tuple[str, ...]

    def render(self, results: Sequence[Result]) -> str:
        """All results of one call as the text of a file; UsageError where this form has nothing to show of them."""


@cache
def forms() -> dict[str, Form]:
    """Every form by its suffixes."""
    from pkgutil import iter_modules  # few calls ask for a form

    modules = [cast(Form, import_module(f"{__name__}.{module.name}")) for module in iter_modules(__path__)]
    return {suffix: module for module in modules for suffix in module.SUFFIXES}


def form_of(path: str, suffix: str | None = None) -> Form:
    """The form that the name of a file asks for, or this suffix in its place. Where the file cannot go is said, too,
    before any long work."""
    place = Path(path)
    known = forms()
    found = known.get(place.suffix.lower() if suffix is None else suffix)
    if found is None:
        hint = f"use a name that ends in one of {' '.join(sorted(known))}"
        what = (
            f"unknown suffix '{place.suffix}'"
            if place.suffix
            else "the file name has no suffix that determines the format"
        )
        raise UsageError(what, source=path, hint=hint)
    if not place.parent.is_dir():
        raise UsageError("cannot be written: no such directory", source=path, hint="create the directory first")
    return found
