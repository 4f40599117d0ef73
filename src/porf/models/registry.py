"""From a model's name or path to its file, and from there to what decides it. The file is the specification."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porf._core import (
    CausalAxioms,
    CoherenceModel,
    Criterion,
    Engine,
    HappensBefore,
    KeptOrder,
    Memory,
    RealTime,
    StoreOrderModel,
    Sync,
    WitnessAxioms,
)
from porf.architectures import ARCHITECTURES
from porf.errors import ModelError, nearest, wrong_type
from porf.language.header import Header, read_header, read_text
from porf.record import Record, replace

if TYPE_CHECKING:
    from porf.language.model_file import ModelFile

FOLDER = Path(__file__).parent
GENERIC = "generic"
WITHOUT_FENCES = ("sc", "sra", "ra", "wra")  # built-in models in which no fence and no order changes what is allowed


class Kernel(Record):
    """A fast implementation of a model file, in the core."""

    algorithm: str
    complexity: str
    module: str = "kernel"  # of porf.checking: what asks the core, and makes evidence of the answer


class Model(Record):
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
    procedures: tuple[str, ...] = ()  # what else decides it: names in porf.checking.choose
    criteria: tuple[str, ...] = ()  # causal criteria that it implies, from weak to strong: see porf.checking.criteria
    engine: Engine = Engine.AXIOMS  # what explores programs under it
    engine_without_sc: Engine | None = None  # for programs without SC events, of which an axiom says nothing then
    # Of a model that allows cycles of po and rf: what explores executions without them, in programs without SC fences;
    # and what of program order is proved to have no cycle with rf, bits of KeptOrder, if it is built in.
    engine_without_cycles: Engine | None = None
    kept: int | None = None
    races: HappensBefore | None = None  # by what races are judged; None: by the file's own hb, else as in C++20
    drf_sc: bool = False  # data-race freedom: with SC atomics only, it is SC or has a race that SC has too
    # How the core checks a witness without the file; for some, only by a model that is stronger.
    witness: WitnessAxioms | CausalAxioms | None = None
    witness_is_stronger: bool = False
    # What the core calls it, family by family.
    monitor: CoherenceModel | None = None
    memory: Memory | None = None
    time: RealTime = RealTime.IGNORED
    store_order: StoreOrderModel | None = None
    criterion: Criterion | None = None
    # Of the coherence family: how happens-before arises, and whether write-coherence is a part of
    # strong-write-coherence.
    sync: Sync = Sync.ALL
    strong: bool = False
    bell: Path | None = None  # a file of the Linux kernel's kind that is read first
    architecture: str | None = None  # whose names a file that is of none in particular may use
    folder: Path | None = None  # of the files that it may include, if that is not its own

    def __repr__(self) -> str:
        return f"<Model {self.name}: {self.shown_path}>"

    @cached_property
    def header(self) -> Header:
        header = read_header(self.path)
        beside = self.bell is not None or self.path.with_suffix(".bell").is_file()
        return replace(header, architecture="lkmm", view="two") if beside and header.architecture is None else header

    @cached_property
    def file(self) -> ModelFile:
        """The parsed file; the parser is imported only now."""
        from porf.language.model_file import load_model_file

        return load_model_file(self.path, self.architecture, self.bell, self.folder)

    def on(self, architecture: str | None) -> Model:
        """The model as its file reads on an architecture; a file that is of one keeps it."""
        own = self.header.architecture
        if own is not None and architecture not in (None, own):
            titles = ARCHITECTURES[own].title, ARCHITECTURES[architecture].title
            hint = f"use a model of {titles[1]}, or one without fences such as sc"
            raise ModelError(f"{self.name} is a model of {titles[0]}, and this is of {titles[1]}", hint=hint)
        if architecture is not None and MODELS.get(self.name) is self and self.name not in WITHOUT_FENCES:
            names = [name for name, model in ARCHITECTURE_MODELS.items() if model.header.architecture == architecture]
            message = f"{self.name} is a model of what C says, and this is of {ARCHITECTURES[architecture].title}"
            raise ModelError(message, hint=f"use {' or '.join(names)}, or one without fences such as sc")
        return (
            self
            if architecture in (self.architecture, self.header.architecture)
            else replace(self, architecture=architecture)
        )

    @property
    def text(self) -> str:
        return read_text(self.path)

    @property
    def shown_path(self) -> str:
        """The file's name for a bundled model, the path that was given for any other."""
        return str(self.path.relative_to(FOLDER)) if self.path.is_relative_to(FOLDER) else str(self.path)

    @property
    def decided_by(self) -> str:
        return self.kernel.algorithm if self.kernel else GENERIC

    @property
    def complexity(self) -> str:
        return self.kernel.complexity if self.kernel else self.without_kernel


def _built_in(name: str, kernel: Kernel | None = None, **facts: Any) -> Model:
    return Model(name, FOLDER / f"{name}.cat", kernel, allows_sequential=True, **facts)


def _coherence(name: str, cost: str, monitor: CoherenceModel, algorithm: str = "coherence", **facts: Any) -> Model:
    """A model of the C11 family (Tunç et al. 2023)."""
    races = _RACES.get(name, HappensBefore.ATOMIC)
    core = {"engine": Engine[monitor.name], "witness": WitnessAxioms[monitor.name], "races": races}
    return _built_in(name, Kernel(algorithm, cost), monitor=monitor, **core, **facts)


def _c11(name: str, engine: Engine, without_sc: Engine, races: HappensBefore) -> Model:
    """RC11 (Lahav et al. 2017), by the one release sequence or the other."""
    return _built_in(name, _WALKS, engine=engine, engine_without_sc=without_sc, races=races, drf_sc=True)


def _causal(name: str, algorithm: str, cost: str, **facts: Any) -> Model:
    """A causal criterion (Zennou et al. 2019). It looks at no modification order, so there is none to search for."""
    kernel = Kernel(algorithm, cost, "causal")
    return _built_in(name, kernel, without_kernel="polynomial", orders_writes=False, procedures=("datalog",), **facts)


_RACES = {"rc20": HappensBefore.ATOMIC_ORDERS, "relaxed": HappensBefore.NONE}
_ROUNDS = "rounds of O(n·k log n), then"
_SETS = Kernel("forced-subsets", "TSO's, then O(n·w²), then O(2^w)", "store_order")
_SCANS = "O(n·k log n)"
_VIEWS = "about O(n·k²), at worst O(n²·k³)"
_WALKS = Kernel("walks", "an order that is tried: O(n·k); SAT at worst", "walks")
_STORE_ORDER = ("subsets", "sat")
_GLOBAL = ("subsets", "frontier", "gradual", "gradual-sat", "sat", "datalog")

K = KeptOrder
_DEPENDENT, _ORDERED = K.DATA | K.ADDRESS | K.CONTROL, K.ACQUIRE | K.RELEASE


def _fences(*orders: int) -> int:
    return sum(K.FENCE << order for order in orders)


_RECORDS = (
    _built_in(
        "sc",
        Kernel("global-order", f"{_ROUNDS} O(n^k)", "global_order"),
        procedures=_GLOBAL,
        criteria=("cc", "ccv", "ccm"),
        engine=Engine.SC,
        races=HappensBefore.ATOMIC,
        witness=WitnessAxioms.SC,
        memory=Memory.SC,
        store_order=StoreOrderModel.SC,
    ),
    _built_in(
        "tso",
        Kernel("global-order", f"{_ROUNDS} O(n^2k)", "global_order"),
        procedures=_GLOBAL,
        criteria=("cc", "ccv", "wccm"),
        engine=Engine.TSO,
        races=HappensBefore.ATOMIC,
        witness=WitnessAxioms.TSO,
        memory=Memory.TSO,
        store_order=StoreOrderModel.TSO,
    ),
    _built_in("x86", _WALKS, engine=Engine.X86, races=HappensBefore.ATOMIC),
    _built_in(
        "pso",
        _SETS,
        procedures=_STORE_ORDER,
        engine=Engine.PSO,
        races=HappensBefore.ATOMIC,
        witness=WitnessAxioms.TSO,
        witness_is_stronger=True,
        store_order=StoreOrderModel.PSO,
    ),
    _built_in(
        "rmo",
        _SETS,
        procedures=_STORE_ORDER,
        witness=WitnessAxioms.TSO,
        witness_is_stronger=True,
        store_order=StoreOrderModel.RMO,
        kept=K.DATA | K.ADDRESS | K.CHAIN | _fences(1, 2, 3, 4, 5),
    ),
    _coherence("sra", f"{_SCANS}; with updates O(k·n^(k+1))", CoherenceModel.SRA, "strong-coherence", strong=True),
    _coherence("ra", _SCANS, CoherenceModel.RA),
    _coherence("wra", _SCANS, CoherenceModel.WRA, "weak-coherence", orders_writes=False),
    _coherence("rc20", _SCANS, CoherenceModel.RC20, sync=Sync.ORDERS),
    _coherence("relaxed", "O(n)", CoherenceModel.RELAXED, sync=Sync.PO_ONLY),
    _causal("ccm", "store-order", _VIEWS, witness=CausalAxioms.CCM, criterion=Criterion.CCM),
    _causal("wccm", "store-order", _VIEWS, witness=CausalAxioms.WCCM, criterion=Criterion.WCCM),
    _causal("cm", "views", _VIEWS, witness=CausalAxioms.CM, criterion=Criterion.CM),
    _causal("ccv", "strong-coherence", _SCANS, witness=CausalAxioms.CCV, criterion=Criterion.CCV),
    _causal("cc", "weak-coherence", _SCANS, witness=WitnessAxioms.WRA),
    _c11("rc11", Engine.RC11, Engine.RC11_WITHOUT_SC, HappensBefore.OWN_WRITES),
    _c11("cpp20", Engine.CPP20, Engine.CPP20_WITHOUT_SC, HappensBefore.ATOMIC_ORDERS),
    _built_in("c11"),
    _built_in(
        "imm",
        _WALKS,
        engine_without_cycles=Engine.RC11_WITHOUT_SC,
        races=HappensBefore.OWN_WRITES,
        kept=_DEPENDENT | K.CHAIN | _ORDERED | K.UPDATE | _fences(2, 3, 4, 5),
    ),
    # Hardware by the orders of C.
    _built_in("arm8", _WALKS, kept=_DEPENDENT | K.CHAIN | _ORDERED | _fences(2, 3, 4, 5)),
    _built_in("power", _WALKS, races=HappensBefore.ATOMIC_ORDERS, kept=_DEPENDENT | _fences(5)),
)
MODELS: dict[str, Model] = {model.name: model for model in _RECORDS}
"""The models of what C says: orders, fences of an order."""
ARCHITECTURE_MODELS = {
    **{name: _built_in(name, _WALKS) for name in ("x86tso", "aarch64", "arm", "ppc", "riscv")},
    "lkmm": _built_in("lkmm"),
}
"""Each is of one architecture, and of what that says: see porf.architectures."""
TIMED_MODELS = {
    "lin": Model(
        "lin",
        FOLDER / "lin.cat",
        Kernel("zones", "O(n log n)", "linear"),
        witness=WitnessAxioms.LIN,
        memory=Memory.SC,
        time=RealTime.ALONE,
    ),
}
"""Models of what is recorded with times, which no program has."""
ALL_MODELS = {**MODELS, **ARCHITECTURE_MODELS, **TIMED_MODELS}


def _strict(name: str, kernel: Kernel | None = None, **facts: Any) -> Model:
    return Model(f"strict {name}", FOLDER / "strict" / f"{name}.cat", kernel, time=RealTime.KEPT, **facts)


_STRICT = {
    "sc": _strict(
        "sc",
        Kernel("global-order", f"{_ROUNDS} O(n^k)", "global_order"),
        witness=WitnessAxioms.STRICT_SC,
        memory=Memory.SC,
    ),
    "tso": _strict(
        "tso",
        Kernel("global-order", f"{_ROUNDS} O(n^2k)", "global_order"),
        witness=WitnessAxioms.STRICT_TSO,
        memory=Memory.TSO,
    ),
    "pso": _strict("pso"),
    "lin": TIMED_MODELS["lin"],
}


def strict(name: str | Path | Model) -> Model:
    """A model whose global order must agree with real time, too."""
    model = find_model(name)
    if ALL_MODELS.get(model.name) is model and model.name in _STRICT:
        return _STRICT[model.name]
    if model in _STRICT.values():
        return model
    if ALL_MODELS.get(model.name) is model:
        hint = f"{', '.join(_STRICT)} have"
        raise ModelError(f"{model.name} has no global order that could agree with real time", hint=hint)
    hint = "write `| rt` in the axiom of this file: real time is a relation"
    raise ModelError("--strict is for built-in models", source=model.shown_path, hint=hint)


def find_model(name: str | Path | Model) -> Model:
    """A built-in model by its name, or any model file by its path; a model stays as it is."""
    if isinstance(name, Model):
        return name
    if not isinstance(name, str | os.PathLike):
        raise wrong_type("a model argument", "a name, a path or a Model", name)
    text = os.fspath(name)
    if text in ALL_MODELS:
        return ALL_MODELS[text]
    path = Path(text)
    if path.suffix == ".cfg":
        return _configured(path)
    if path.suffix in (".cat", ".kat") or "/" in text:
        if path.suffix not in (".cat", ".kat"):
            raise ModelError(
                f"'{text}' is not a model file",
                hint="a model file ends in .cat or .kat: the two languages bind their operators differently",
            )
        return Model(path.stem, path)
    if text.lower() in ALL_MODELS:
        return ALL_MODELS[text.lower()]
    hint = (
        nearest(text.lower(), ALL_MODELS) or f"the models are {', '.join(ALL_MODELS)}, or a path to a .cat or .kat file"
    )
    raise ModelError(f"unknown model '{text}'", hint=hint)


def _configured(path: Path) -> Model:
    """The model that a configuration of herd names, with its bell file: `linux-kernel.cfg`."""
    said = dict(line.split()[:2] for line in read_text(path).splitlines() if len(line.split()) > 1)
    if "model" not in said:
        raise ModelError("this configuration names no model", source=str(path), hint="it has a line `model FILE.cat`")
    found = {}
    for what, suffixes in (("model", (".cat", ".kat")), ("bell", (".bell",))):
        if what not in said:
            continue
        name = said[what]
        found[what] = path.parent / name
        try:
            inside = found[what].resolve().is_relative_to(path.parent.resolve())
        except (OSError, ValueError, RuntimeError):  # a name that no file system takes, or links without end
            inside = False
        if not inside or not name.endswith(suffixes):
            raise ModelError(
                f"'{name}' is no {what} file in the folder of this configuration",
                source=str(path),
                hint=f"copy the file there; it ends in {' or '.join(suffixes)}",
            )
    return Model(path.stem, found["model"], bell=found.get("bell"))
