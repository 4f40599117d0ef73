"""porf: does this execution satisfy this memory model, and what is the evidence?

>>> import porf
>>> print(porf.check("examples/histories/message-passing.txt", "ra").answer)
inconsistent

The public names and nothing else: docs/python.md shows what to do with them. What needs numpy is imported when it is
first used, so that the command line starts at once.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from porf.errors import EvidenceError, FormatError, ModelError, PorfError, ProgramError, UnfinishedError, UsageError

if TYPE_CHECKING:
    from porf.automata.prove import Judgement, prove
    from porf.checking import check
    from porf.checking.monitor import Monitor
    from porf.checking.verdict import Answer, Verdict
    from porf.comparison.compare import Comparison, compare
    from porf.events import Event
    from porf.execution import INITIAL, Execution, Op, Order
    from porf.exploration import explore
    from porf.exploration.found import Exploration
    from porf.exploration.robust import Robustness, robust
    from porf.formats import load, loads, save
    from porf.formats.logs.mapping import Mapping
    from porf.models import MODELS, Model
    from porf.programs import load_program, load_programs
    from porf.programs.python import ProgramBuilder, program
    from porf.recorder import include
    from porf.synthesis import orders
    from porf.synthesis.needed import Orders
    from porf.testing import test
    from porf.testing.tested import Testing

    __version__: str

__all__ = [
    "INITIAL", "MODELS", "Answer", "Comparison", "Event", "EvidenceError", "Execution", "Exploration", "FormatError",
    "Judgement", "Mapping", "Model", "ModelError", "Monitor", "Op", "Order", "Orders", "PorfError", "ProgramBuilder",
    "ProgramError", "Robustness", "Testing", "UnfinishedError", "UsageError", "Verdict", "__version__", "check",
    "compare", "explore", "include", "load", "load_program", "load_programs", "loads", "orders", "program", "prove",
    "robust", "save", "test",
]  # fmt: skip

_HOMES = {
    "comparison.compare": ("Comparison", "compare"),
    "automata.prove": ("Judgement", "prove"),
    "checking": ("check",),
    "checking.monitor": ("Monitor",),
    "checking.verdict": ("Answer", "Verdict"),
    "exploration": ("explore",),
    "exploration.found": ("Exploration",),
    "exploration.robust": ("Robustness", "robust"),
    "events": ("Event",),
    "execution": ("INITIAL", "Execution", "Op", "Order"),
    "formats": ("load", "loads", "save"),
    "formats.logs.mapping": ("Mapping",),
    "models": ("MODELS", "Model"),
    "programs": ("load_program", "load_programs"),
    "programs.python": ("ProgramBuilder", "program"),
    "synthesis": ("orders",),
    "synthesis.needed": ("Orders",),
    "recorder": ("include",),
    "testing": ("test",),
    "testing.tested": ("Testing",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("porf")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'porf' has no attribute '{name}'", name=name, obj=sys.modules[__name__])
    return getattr(import_module(f"porf.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
