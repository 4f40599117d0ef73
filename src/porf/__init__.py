"""porf: does this execution satisfy this memory model, and what is the evidence?

The public names and nothing else. What needs numpy is imported when it is first used: the command line starts at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from porf.errors import FormatError, ModelError, PorfError, ProgramError, UsageError

if TYPE_CHECKING:
    from porf.automata.prove import prove
    from porf.checking import check
    from porf.checking.monitor import Monitor
    from porf.checking.verdict import Verdict
    from porf.comparison.compare import Comparison, compare
    from porf.execution import INITIAL, Execution, Op, Order
    from porf.exploration import explore
    from porf.exploration.found import Exploration
    from porf.formats import load, loads, save
    from porf.models import MODELS
    from porf.programs.python import ProgramBuilder, program

__all__ = [
    "INITIAL",
    "MODELS",
    "Comparison",
    "Execution",
    "Exploration",
    "FormatError",
    "ModelError",
    "Monitor",
    "Op",
    "Order",
    "PorfError",
    "ProgramBuilder",
    "ProgramError",
    "UsageError",
    "Verdict",
    "check",
    "compare",
    "explore",
    "load",
    "loads",
    "program",
    "prove",
    "save",
]

_HOMES = {
    "comparison.compare": ("Comparison", "compare"),
    "automata.prove": ("prove",),
    "checking": ("check",),
    "checking.monitor": ("Monitor",),
    "checking.verdict": ("Verdict",),
    "exploration": ("explore",),
    "exploration.found": ("Exploration",),
    "execution": ("INITIAL", "Execution", "Op", "Order"),
    "formats": ("load", "loads", "save"),
    "models": ("MODELS",),
    "programs.python": ("ProgramBuilder", "program"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'porf' has no attribute '{name}'")
    return getattr(import_module(f"porf.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
