"""From a model's name or path to its file, and from there to what decides it. The file is the specification."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from porf._core import CoherenceModel, Criterion, Sync
from porf.errors import ModelError, nearest, wrong_type
from porf.language.header import Header, read_header, read_text

if TYPE_CHECKING:
    from porf.language.model_file import ModelFile

FOLDER = Path(__file__).parent
GENERIC = "generic"


@dataclass(frozen=True)
class Kernel:
    """A fast implementation of a model file: a module of porf.checking over the core."""

    module: str
    algorithm: str
    complexity: str
    coherence: CoherenceModel | None = None
    criterion: Criterion | None = None
    # Of the coherence family: how happens-before arises, and whether write-coherence is a part of
    # strong-write-coherence.
    sync: Sync = Sync.PO_ONLY
    strong: bool = False


@dataclass(frozen=True, repr=False)
class Model:
    """A memory model: a file of axioms, and what decides it. Functions take its name or its path as well.

    >>> import porf
    >>> porf.MODELS["ra"]
    <Model ra: ra.cat>
    >>> porf.MODELS["ra"].header.title
    'Release-acquire'
    """

    name: str
    path: Path
    kernel: Kernel | None = None
    without_kernel: str = "exponential in the writes of a location"
    allows_sequential: bool = False  # a sequential interleaving satisfies it; known of the built-in ones
    orders_writes: bool = True  # its axioms ask for a modification order

    def __repr__(self) -> str:
        return f"<Model {self.name}: {self.shown_path}>"

    @cached_property
    def header(self) -> Header:
        return read_header(self.path)

    @cached_property
    def file(self) -> ModelFile:
        """The parsed file; the parser is imported only now."""
        from porf.language.model_file import load_model_file

        return load_model_file(self.path)

    @property
    def text(self) -> str:
        return read_text(self.path)

    @property
    def shown_path(self) -> str:
        """The file's name for a bundled model, the path that was given for any other."""
        return self.path.name if self.path.parent == FOLDER else str(self.path)

    @property
    def monitored(self) -> bool:
        """Whether events can be checked as they come."""
        return self.kernel is not None and self.kernel.module == _FAMILY

    @property
    def decided_by(self) -> str:
        return self.kernel.algorithm if self.kernel else GENERIC

    @property
    def complexity(self) -> str:
        return self.kernel.complexity if self.kernel else self.without_kernel


_FAMILY = "coherence"
_CAUSAL = "causal"
_VIEWS = "about O(n·k²), at worst O(n²·k³)"
_KERNELS = {
    "sc": Kernel("global_order", "global-order", "rounds of O(n·k log n), then O(n^k)"),
    "tso": Kernel("global_order", "global-order", "rounds of O(n·k log n), then O(n^2k)"),
    "pso": Kernel("store_order", "forced-subsets", "TSO's, then O(n·w²), then O(2^w)"),
    "rmo": Kernel("store_order", "forced-subsets", "TSO's, then O(n·w²), then O(2^w)"),
    "relaxed": Kernel(_FAMILY, "coherence", "O(n)", CoherenceModel.RELAXED),
    "rc20": Kernel(_FAMILY, "coherence", "O(n·k log n)", CoherenceModel.RC20, sync=Sync.ORDERS),
    "ra": Kernel(_FAMILY, "coherence", "O(n·k log n)", CoherenceModel.RA, sync=Sync.ALL),
    "wra": Kernel(_FAMILY, "weak-coherence", "O(n·k log n)", CoherenceModel.WRA, sync=Sync.ALL),
    "sra": Kernel(
        _FAMILY,
        "strong-coherence",
        "O(n·k log n); with updates O(k·n^(k+1))",
        CoherenceModel.SRA,
        sync=Sync.ALL,
        strong=True,
    ),
    "cc": Kernel(_CAUSAL, "weak-coherence", "O(n·k log n)", sync=Sync.ALL),
    "ccv": Kernel(_CAUSAL, "strong-coherence", "O(n·k log n)", criterion=Criterion.CCV, sync=Sync.ALL),
    "cm": Kernel(_CAUSAL, "views", _VIEWS, criterion=Criterion.CM),
    "ccm": Kernel(_CAUSAL, "store-order", _VIEWS, criterion=Criterion.CCM),
    "wccm": Kernel(_CAUSAL, "store-order", _VIEWS, criterion=Criterion.WCCM),
}

MODELS: dict[str, Model] = {
    name: Model(name, FOLDER / f"{name}.cat", _KERNELS.get(name), allows_sequential=True, orders_writes=name != "wra")
    for name in ("sc", "tso", "pso", "rmo", "sra", "ra", "wra", "rc20", "relaxed")
}
# The causal criteria look at no modification order, so there is none to search for.
MODELS |= {
    name: Model(
        name, FOLDER / f"{name}.cat", _KERNELS.get(name), "polynomial", allows_sequential=True, orders_writes=False
    )
    for name in ("ccm", "wccm", "cm", "ccv", "cc")
}
# Languages and hardware.
MODELS |= {
    name: Model(name, FOLDER / f"{name}.cat", allows_sequential=True)
    for name in ("rc11", "c11", "imm", "arm8", "power")
}


def find_model(name: str | Path | Model) -> Model:
    """A built-in model by its name, or any model file by its path; a model is found already."""
    if isinstance(name, Model):
        return name
    if not isinstance(name, str | os.PathLike):
        raise wrong_type("a model argument", "a name, a path or a Model", name)
    text = os.fspath(name)
    if text in MODELS:
        return MODELS[text]
    path = Path(text)
    if path.suffix in (".cat", ".kat") or "/" in text:
        if path.suffix not in (".cat", ".kat"):
            raise ModelError(
                f"'{text}' is not a model file",
                hint="a model file ends in .cat or .kat: the two languages bind their operators differently",
            )
        return Model(path.stem, path)
    if text.lower() in MODELS:
        return MODELS[text.lower()]
    hint = nearest(text.lower(), MODELS) or f"the models are {', '.join(MODELS)}, or a path to a .cat or .kat file"
    raise ModelError(f"unknown model '{text}'", hint=hint)
