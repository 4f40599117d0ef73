"""Programs in Python: shared objects are declared, and decorated functions are compiled from their syntax tree."""

from porf.programs.python.builder import ProgramBuilder, program
from porf.programs.python.load import load_programs
from porf.programs.python.shared import Mutex, SharedArray, SharedInt
from porf.programs.python.words import (
    ThreadHandle,
    acq_rel,
    acquire,
    address,
    assume,
    at,
    fence,
    join,
    plain_at,
    relaxed,
    release,
    seq_cst,
    spawn,
)

__all__ = [
    "Mutex", "ProgramBuilder", "SharedArray", "SharedInt", "ThreadHandle", "acq_rel", "acquire", "address", "assume",
    "at", "fence", "join", "load_programs", "plain_at", "program", "relaxed", "release", "seq_cst", "spawn",
]  # fmt: skip
