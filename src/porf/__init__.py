"""porf: does this execution satisfy this memory model, and what is the evidence?"""

from porf.check import check
from porf.check.monitor import Monitor
from porf.check.verdict import Verdict
from porf.errors import FormatError, ModelError, PorfError, UsageError
from porf.execution import INITIAL, Execution, Op, Order
from porf.formats import load, loads, save
from porf.models import MODELS

__all__ = [
    "INITIAL",
    "MODELS",
    "Execution",
    "FormatError",
    "ModelError",
    "Monitor",
    "Op",
    "Order",
    "PorfError",
    "UsageError",
    "Verdict",
    "check",
    "load",
    "loads",
    "save",
]
